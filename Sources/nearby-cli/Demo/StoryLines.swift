import CommandOutput
import Nearby

/// A story as a timeline for people. Each line has the time, the device and the event.
struct StoryLines {
    let story: Story

    var all: [String] {
        let nameWidth = story.scene.actors.map(\.name.count).max() ?? 0
        let lines = story.events.map { event in
            [time(event.seconds), TextTable.padded(story.name(event.device), nameWidth), words(event)]
                .joined(separator: "  ")
        }
        return lines + [""] + StorySummary(story).lines
    }

    private func time(_ seconds: Double) -> String {
        let text = FixedPoint.text(seconds, places: 2)
        return String(repeating: " ", count: max(0, 6 - text.count)) + text + " s"
    }

    private func words(_ event: Story.Event) -> String {
        let other = event.other.map { story.name($0) } ?? ""
        switch event.what {
        case .publishes(let publication):
            return
                "publishes \(StoryLines.title(publication)), by sound: \(StrategyWords.mode(publication.strategy.mode))"
        case .subscribes(let subscription):
            let types = StoryLines.types(subscription.filter).joined(separator: " and ")
            return "subscribes to \(types), by sound: \(StrategyWords.mode(subscription.strategy.mode))"
        case .unpublishes: return "takes back what it published"
        case .enters(let place): return "is in the \(place) now"
        case .changesToken: return "changes its token"
        case .hears: return "hears \(the(other))" + distance(event)
        case .found(let message):
            return "finds \(StoryLines.title(message)) of \(the(other))" + distance(event)
                + after(event, "together for")
        case .lost(let message):
            return "loses \(StoryLines.title(message)) of \(the(other))"
                + (event.isEarlyLoss ? ", though it is here" : after(event, "gone for"))
        }
    }

    private func the(_ name: String) -> String { name == "box" ? "the box" : name }

    private func distance(_ event: Story.Event) -> String {
        event.meters.map { ", \(FixedPoint.text($0, places: 1)) m away" } ?? ""
    }

    private func after(_ event: Story.Event, _ words: String) -> String {
        event.afterSeconds.map { ", \(words) \(FixedPoint.text($0, places: 1)) s" } ?? ""
    }

    /// Formats a message, for example as "Ana" (person).
    static func title(_ message: Message) -> String { "\"\(message.text)\" (\(message.type))" }

    static func title(_ publication: Publication) -> String {
        switch publication.content {
        case .message(let message): title(message)
        case .audioBytes(let bytes): "\(bytes.bytes.count) bytes"
        }
    }

    static func types(_ filter: MessageFilter) -> [String] {
        filter.rules.map { rule in
            switch rule {
            case .type(let type, _): type
            case .namespace: "everything"
            case .audioBytes: "bytes by sound"
            }
        }.sorted()
    }
}
