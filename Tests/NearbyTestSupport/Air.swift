import Nearby

/// What carries tokens between devices in one process: who scans hears at once what is broadcast on the same medium in the same
/// place, and again with every ``advance(by:)``.
public final class Air: Sendable {
    struct Listener {
        var place: Int
        var condition: MediumCondition
        var assignment = MediumAssignment.idle
        let events: AsyncStream<MediumEvent>.Continuation
        let medium: Medium
    }

    public let clock = VirtualClock()
    private let listeners = Locked<[Int: Listener]>([:])

    public init() {}

    /// A driver for one more device.
    public func driver(
        _ medium: Medium, place: Int = 0, condition: MediumCondition = .ready
    ) -> AirDriver {
        let (stream, events) = AsyncStream.makeStream(of: MediumEvent.self)
        events.yield(.condition(condition))
        let key = listeners.withLock { listeners in
            listeners[listeners.count] = Listener(
                place: place, condition: condition, events: events, medium: medium)
            return listeners.count - 1
        }
        return AirDriver(medium, key, in: self, events: stream)
    }

    /// Time goes on, and all that is broadcast is heard again.
    public func advance(by duration: Duration) {
        clock.advance(by: duration)
        listeners.withLock { listeners in
            for speaker in listeners.keys { Air.sound(speaker, listeners) }
        }
    }

    func change(_ key: Int, _ change: (inout Listener) -> Void) {
        listeners.withLock { listeners in
            let before = listeners[key]!
            change(&listeners[key]!)
            let after = listeners[key]!
            if after.condition != before.condition { after.events.yield(.condition(after.condition)) }
            Air.sound(key, listeners)
            for other in listeners.keys where other != key {
                Air.sound(other, listeners.filter { $0.key == other || $0.key == key })
            }
        }
    }

    func assignment(_ key: Int) -> MediumAssignment { listeners.withLock { $0[key]!.assignment } }

    /// Who broadcasts is heard by all who scan where it is, itself included.
    private static func sound(_ key: Int, _ listeners: [Int: Listener]) {
        guard let speaker = listeners[key], let broadcast = speaker.assignment.broadcast,
            speaker.condition.broadcast == nil
        else { return }
        speaker.events.yield(.sent)
        for listener in listeners.values
        where listener.assignment.isScanning && listener.condition.scan == nil
            && listener.place == speaker.place && listener.medium == speaker.medium
        {
            for payload in broadcast.payloads {
                listener.events.yield(.sighted(Sighting(payload, on: speaker.medium)))
            }
        }
    }
}

/// One device's way to the ``Air``.
public final class AirDriver: MediumDriver {
    public let medium: Medium
    private let key: Int
    private let air: Air
    private let stream: AsyncStream<MediumEvent>

    init(_ medium: Medium, _ key: Int, in air: Air, events: AsyncStream<MediumEvent>) {
        (self.medium, self.key, self.air, stream) = (medium, key, air, events)
    }

    public func events() -> AsyncStream<MediumEvent> { stream }

    public func carryOut(_ assignment: MediumAssignment) async {
        air.change(key) { $0.assignment = assignment }
    }

    /// What it was last told to do.
    public var assignment: MediumAssignment { air.assignment(key) }

    /// Devices in other places do not hear it, nor it them.
    public func move(to place: Int) { air.change(key) { $0.place = place } }

    /// A beacon's frame, if it is looked for.
    public func hear(_ id: AdvertisedID, _ reading: BeaconReading = BeaconReading()) {
        air.change(key) { listener in
            guard listener.assignment.beacons?.kinds.contains(id.kind) ?? false else { return }
            listener.events.yield(.beacon(BeaconSighting(id, reading: reading)))
        }
    }

    public func set(_ condition: MediumCondition) { air.change(key) { $0.condition = condition } }
}
