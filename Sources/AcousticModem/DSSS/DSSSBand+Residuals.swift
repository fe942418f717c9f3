import Signal

/// The search of the sound without the frames heard.
///
///     frame heard        ····|▄▄▄▄▄▄▄▄|····        others may begin a frame before it, and until it ends
///     searched again     |<──────────────>|        once every search has passed its end
///
/// The band takes out what this search finds as well, and searches the starts about it again. Reports of the
/// first search never wait for it.
extension DSSSBand {
    /// The most searches in a row, each about what the search before found.
    private static let rounds = 5
    /// The time after a frame's start within which the first search reports it.
    static let settledSeconds = 0.75
    /// The sound before the first start from which a search takes the level of the noise.
    private static let levelSeconds = 0.7
    /// The time for which frames are kept before the sound that may still be searched.
    private static let keptSeconds = 1.0

    /// Notes frames that were heard, on every channel.
    mutating func noteHeard(_ reports: ArraySlice<DecodeReport>) {
        guard FrameCanceller.isOffered else { return }
        for report in reports {
            recogniser?.note(report, skippedSamples: skippedSamples)
            for channel in cancellers.indices {
                cancellers[channel].note(
                    report, skippedSamples: skippedSamples, after: basebands[channel].start)
            }
        }
    }

    /// The longest frame in baseband samples.
    private var longestFrame: Int {
        groups.indices.reduce(0) { max($0, groups[$1].longestFrameSamples) }
    }

    var searchedEnd: SamplePosition {
        groups.indices.reduce(.max) { min($0, groups[$1].searchedEnd) }
    }

    /// The samples before the first start of a residual that its search reads.
    private var residualLead: Int {
        groups.indices.reduce(0) { max($0, groups[$1].fieldReach.before) }
            + band.samples(seconds: DSSSBand.levelSeconds)
    }

    /// The oldest sample that a search about a frame may read: one that is heard now, or was heard and is not
    /// searched about yet.
    var oldestForResidual: SamplePosition {
        guard FrameCanceller.isOffered else { return .max }
        var oldest = searchedEnd - band.samples(seconds: DSSSBand.settledSeconds)
        for channel in cancellers.indices { oldest = min(oldest, cancellers[channel].oldestUnsearched) }
        return oldest - longestFrame - residualLead
    }

    /// Searches about the frames whose surroundings every search has passed.
    mutating func searchResiduals(into reports: inout [DecodeReport]) {
        guard FrameCanceller.isOffered else { return }
        let searched = searchedEnd
        for channel in cancellers.indices where !cancellers[channel].frames.isEmpty {
            for _ in 0..<DSSSBand.rounds {
                let due = cancellers[channel].takeDue(before: searched)
                if due.isEmpty { break }
                searchResidual(channel, about: due, into: &reports)
            }
            cancellers[channel].drop(
                before: oldestForResidual - band.samples(seconds: DSSSBand.keptSeconds))
        }
    }

    private mutating func searchResidual(
        _ channel: Int, about due: [HeardFrame], into reports: inout [DecodeReport]
    ) {
        let first = due.reduce(SamplePosition.max) { min($0, $1.first) }
        let end = due.reduce(first) { max($0, $1.end) }
        let (baseband, frameSamples) = (basebands[channel], longestFrame)
        let source = channels[channel].read {
            cancellers[channel].estimate(in: baseband, $0.unguarded, for: max(first, baseband.start)..<end)
        }
        let starts = max(first - frameSamples, baseband.start)..<end
        let known = reports.count
        let residual = residual(channel, starts, of: source, freshCount: due.count)
        for index in groups.indices {
            groups[index].searchResidual(starts, of: residual, channel: channel, into: &reports)
        }
        noteHeard(reports[known...])
    }

    /// Returns the sound of the band without the frames of a channel, as far as a search of `starts` reads
    /// it.
    private func residual(
        _ channel: Int, _ starts: Range<SamplePosition>, of source: BasebandWindow, freshCount: Int
    ) -> Residual {
        let origin = max(starts.lowerBound - residualLead, basebands[channel].start)
        var window = BasebandWindow(start: origin)
        window.append(cancellers[channel].residual(of: source, origin..<basebands[channel].end))
        var (basebands, noises) = (basebands, noises)
        basebands[channel] = window
        energyBlock.replace(window, in: &noises[channel])
        return Residual(origin: origin, basebands: basebands, noises: noises, freshCount: freshCount)
    }
}
