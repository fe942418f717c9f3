import CommandOutput
import Nearby

/// A story as JSON: one object for each event and each frame in order of time, and one for the summary.
struct StoryJSON {
    let story: Story

    var lines: [String] {
        let events = story.events.map { ($0.seconds, object($0)) }
        let sent = story.sent.enumerated().flatMap { device, ends in
            ends.map { ($0, object(sentBy: device, endSeconds: $0)) }
        }
        let heard = story.receptions.map { ($0.seconds, object($0)) }
        let all = (events + sent + heard).enumerated()
            .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        return all.map { $0.element.1.description } + [summary.description]
    }

    private func object(_ seconds: Double, _ device: Int, _ event: String) -> JSONObject {
        var object = JSONObject()
        object.add("seconds", seconds, places: 2)
        object.add("device", story.name(device))
        object.add("event", event)
        return object
    }

    private func object(_ event: Story.Event) -> JSONObject {
        var object = object(event.seconds, event.device, StoryJSON.name(event.what))
        switch event.what {
        case .publishes(let publication):
            if case .message(let message) = publication.content { add(message, to: &object) }
            object.add("mode", StrategyWords.modeName(publication.strategy.mode))
        case .subscribes(let subscription):
            object.add("types", StoryLines.types(subscription.filter).map(JSONObject.quoted))
            object.add("mode", StrategyWords.modeName(subscription.strategy.mode))
        case .enters(let place): object.add("place", place)
        case .found(let message), .lost(let message): add(message, to: &object)
        case .unpublishes, .changesToken, .hears: break
        }
        guard let other = event.other else { return object }
        object.add("other", story.name(other))
        object.add("distanceMeters", event.meters ?? .nan, places: 1)
        object.add("afterSeconds", event.afterSeconds ?? .nan, places: 2)
        return object
    }

    private func add(_ message: Message, to object: inout JSONObject) {
        object.add("type", message.type)
        object.add("content", message.text)
    }

    private func object(sentBy device: Int, endSeconds: Double) -> JSONObject {
        var object = object(endSeconds, device, "sent")
        object.add("frameSeconds", story.frameSeconds, places: 3)
        return object
    }

    private func object(_ reception: Story.Reception) -> JSONObject {
        var object = object(reception.seconds, reception.device, "heard")
        object.add("other", reception.sender.map { story.name($0) })
        object.add("snrDecibels", reception.snrDecibels ?? .nan, places: 0)
        return object
    }

    private var summary: JSONObject {
        let summary = StorySummary(story)
        var object = JSONObject()
        object.add("seconds", story.seconds, places: 2)
        object.add("event", "summary")
        object.add("foundAfterSeconds", summary.found, places: 2)
        object.add("lostAfterSeconds", summary.lost, places: 2)
        object.add("takenBackAfterSeconds", summary.takenBack, places: 2)
        object.add("lostWhileTogether", summary.earlyCount)
        object.add("sentFrames", summary.sentCount)
        object.add("heardFrames", summary.heardCount)
        object.add("wrongFrames", summary.wrongCount)
        return object
    }

    private static func name(_ what: Story.What) -> String {
        switch what {
        case .publishes: "publishes"
        case .subscribes: "subscribes"
        case .unpublishes: "unpublishes"
        case .enters: "enters"
        case .changesToken: "changesToken"
        case .hears: "firstHeard"
        case .found: "found"
        case .lost: "lost"
        }
    }
}
