import Nearby
import Plotting
import VirtualRoom

/// Converts a story to the data of its picture.
struct StoryDrawing {
    let story: Story
    let seed: UInt64

    var plot: StoryPlot {
        let scene = story.scene
        return StoryPlot(
            title: "nearby demo --seed \(seed)", summary: StorySummary(story).lines, seconds: story.seconds,
            rooms: scene.places.map { .init($0.name, from: $0.room.from, to: $0.room.to) },
            doors: scene.doors.map { .init(from: $0.from, to: $0.to) },
            furniture: [.init("TV", at: StoryDrawing.flat(scene.television))],
            devices: scene.actors.indices.map(device))
    }

    private func device(_ index: Int) -> StoryPlot.Device {
        let actor = story.scene.actors[index]
        return StoryPlot.Device(
            actor.name,
            way: actor.air.route.waypoints.map {
                .init(seconds: $0.seconds, place: StoryDrawing.flat($0.place))
            },
            stays: story.stays[index].map { .init($0.place, seconds: $0.seconds) },
            sent: story.sent[index].map(frame),
            heard: actor.air.microphone == nil
                ? nil
                : story.receptions.filter { $0.device == index }.map {
                    .init(seconds: frame($0.seconds), sender: $0.sender)
                },
            knowledge: knowledge(of: index))
    }

    /// Returns the period of the frame with this end time.
    private func frame(_ end: Double) -> Range<Double> { end - story.frameSeconds..<end }

    /// Returns one row for each message that the device found, in the order of the publishers.
    private func knowledge(of index: Int) -> [StoryPlot.Knowledge] {
        story.scene.actors.indices.flatMap { publisher in
            story.scene.actors[publisher].publications.compactMap { publication in
                guard case .message(let message) = publication.content else { return nil }
                let known = acquaintances(of: index, with: message)
                guard !known.isEmpty else { return nil }
                return StoryPlot.Knowledge("finds \"\(message.text)\"", publisher: publisher, known)
            }
        }
    }

    private func acquaintances(of index: Int, with message: Message) -> [StoryPlot.Acquaintance] {
        var all: [StoryPlot.Acquaintance] = []
        for event in story.events where event.device == index {
            switch event.what {
            case .found(let one) where one == message:
                all.append(
                    .init(
                        seconds: event.seconds..<story.seconds, foundAfterSeconds: event.afterSeconds,
                        isLost: false, lostAfterSeconds: nil))
            case .lost(let one) where one == message && !all.isEmpty:
                let found = all[all.count - 1].seconds.lowerBound
                all[all.count - 1].seconds = found..<event.seconds
                all[all.count - 1].isLost = true
                all[all.count - 1].lostAfterSeconds = event.afterSeconds
            default: break
            }
        }
        return all
    }

    private static func flat(_ place: SIMD3<Double>) -> SIMD2<Double> { SIMD2(place.x, place.y) }
}
