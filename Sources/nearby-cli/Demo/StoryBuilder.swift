import Nearby
import VirtualRoom

/// Converts a simulation's timeline to a ``Story``.
struct StoryBuilder {
    private var story: Story
    /// The device of each token.
    private var senders: [Token: Int] = [:]
    /// Pairs of devices of which the first has heard the second since they met.
    private var acquainted: Set<[Int]> = []
    private var unpublished: [Int: Double] = [:]

    private init(_ story: Story) { self.story = story }

    static func tell(_ simulation: Simulation, _ scene: DemoScene) -> Story {
        var teller = StoryBuilder(
            Story(scene, seconds: simulation.seconds, frameSeconds: simulation.frameSeconds))
        teller.addWays()
        for entry in simulation.timeline.entries { teller.add(entry) }
        // Entering a place comes before its consequences at the same time.
        teller.story.events = teller.story.events.enumerated()
            .sorted { ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset) }.map(\.element)
        return teller.story
    }

    private mutating func addWays() {
        for (device, stays) in story.stays.enumerated() {
            for stay in stays.dropFirst() {
                story.events.append(
                    .init(seconds: stay.seconds.lowerBound, device: device, what: .enters(stay.place)))
            }
        }
    }

    private mutating func add(_ entry: Timeline.Entry) {
        switch entry.event {
        case .began(.publish(_, let publication)): add(entry, .publishes(publication))
        case .began(.subscribe(_, let subscription)): add(entry, .subscribes(subscription))
        case .began, .scans, .notified, .failed: break
        case .ended:
            if unpublished.updateValue(entry.seconds, forKey: entry.device) == nil {
                add(entry, .unpublishes)
            }
        case .broadcasts(let token): note(token, entry)
        case .sent: story.sent[entry.device].append(entry.seconds)
        case .heard(let sighting): add(sighting, entry)
        case .event(let event, _): add(event, entry)
        }
    }

    private mutating func add(
        _ entry: Timeline.Entry, _ what: Story.What, of other: Int? = nil, afterSeconds: Double? = nil,
        isTakenBack: Bool = false
    ) {
        let meters = other.map { story.meters(entry.device, $0, atSeconds: entry.seconds) }
        story.events.append(
            .init(
                seconds: entry.seconds, device: entry.device, what: what, other: other, meters: meters,
                afterSeconds: afterSeconds, isTakenBack: isTakenBack))
    }

    private mutating func note(_ token: Token?, _ entry: Timeline.Entry) {
        guard let token, senders[token] == nil else { return }
        if senders.values.contains(entry.device) { add(entry, .changesToken) }
        senders[token] = entry.device
    }

    private mutating func add(_ sighting: Sighting, _ entry: Timeline.Entry) {
        guard case .token(let token) = sighting.payload else { return }
        let sender = senders[token]
        story.receptions.append(
            .init(
                seconds: entry.seconds, device: entry.device, sender: sender,
                snrDecibels: sighting.signal.snrDecibels.map(Double.init)))
        guard let sender, acquainted.insert([entry.device, sender]).inserted else { return }
        let met = story.met(entry.device, sender, beforeSeconds: entry.seconds)
        add(entry, .hears, of: sender, afterSeconds: met.map { entry.seconds - $0 })
    }

    private mutating func add(_ event: SubscriptionEvent, _ entry: Timeline.Entry) {
        switch event {
        case .found(let discovery):
            guard let other = publisher(of: discovery.message) else { return }
            let met = story.met(entry.device, other, beforeSeconds: entry.seconds)
            add(entry, .found(discovery.message), of: other, afterSeconds: met.map { entry.seconds - $0 })
        case .lost(let discovery):
            guard let other = publisher(of: discovery.message) else { return }
            let parted = story.parted(entry.device, other, beforeSeconds: entry.seconds)
            let isTakenBack = unpublished[other] != nil && parted == nil
            let end = isTakenBack ? unpublished[other] : parted
            add(
                entry, .lost(discovery.message), of: other, afterSeconds: end.map { entry.seconds - $0 },
                isTakenBack: isTakenBack)
            acquainted.remove([entry.device, other])
            acquainted.remove([other, entry.device])
        case .updated, .heardBytes, .expired: break
        }
    }

    private func publisher(of message: Message) -> Int? {
        story.scene.actors.firstIndex {
            $0.publications.contains { $0.content == .message(message) }
        }
    }
}
