import CommandOutput

/// The delays of all findings and losses in a story.
struct StorySummary {
    /// The times in seconds from meeting to finding.
    let found: [Double]
    /// The times in seconds from parting to losing.
    let lost: [Double]
    /// The times in seconds from the end of a publication to its loss.
    let takenBack: [Double]
    /// The number of losses that neither parting nor the end of the publication explains.
    let earlyCount: Int
    let sentCount: Int
    let heardCount: Int
    /// The number of received tokens that no device sent.
    let wrongCount: Int

    init(_ story: Story) {
        var (found, lost, takenBack) = ([Double](), [Double](), [Double]())
        for event in story.events {
            guard let after = event.afterSeconds else { continue }
            switch event.what {
            case .found: found.append(after)
            case .lost where event.isTakenBack: takenBack.append(after)
            case .lost: lost.append(after)
            default: break
            }
        }
        (self.found, self.lost, self.takenBack) = (found, lost, takenBack)
        earlyCount = story.events.count { $0.isEarlyLoss }
        sentCount = story.sent.reduce(0) { $0 + $1.count }
        heardCount = story.receptions.count
        wrongCount = story.receptions.count { $0.sender == nil }
    }

    /// One line about findings and losses, and one about ended publications and frames.
    var lines: [String] {
        let losses = StorySummary.words("lost", lost, "after parting")
        let early = earlyCount > 0 ? ["lost \(StorySummary.times(earlyCount)) while together"] : []
        let taken = StorySummary.words("gone", takenBack, "after it was taken back")
        return [
            found.isEmpty
                ? "nothing found"
                : (StorySummary.words("found", found, "after meeting") + losses + early).joined(
                    separator: "; "),
            (taken + ["\(sentCount) frames sent, \(heardCount) heard, \(wrongCount) wrong"]).joined(
                separator: "; "),
        ]
    }

    /// Formats the times of one kind of event, for example "lost twice, 0.4 to 2.1 s after parting"; empty if
    /// there are none.
    private static func words(_ what: String, _ seconds: [Double], _ since: String) -> [String] {
        seconds.isEmpty ? [] : ["\(what) \(times(seconds.count)), \(span(seconds)) \(since)"]
    }

    private static func times(_ count: Int) -> String {
        switch count {
        case 1: "once"
        case 2: "twice"
        default: "\(count) times"
        }
    }

    /// Formats a range of times, for example "0.4 to 2.1 s".
    private static func span(_ seconds: [Double]) -> String {
        let ends = [seconds.min(), seconds.max()].compactMap { $0 }.map { FixedPoint.text($0, places: 1) }
        return (ends.first == ends.last ? ends.prefix(1) : ends[...]).joined(separator: " to ") + " s"
    }
}
