import Nearby

/// A medium between devices in one process. A device that scans immediately hears what is broadcast on the
/// same medium in the same place, and again with every ``advance(by:)``.
package final class Air: Sendable {
    struct Listener {
        var place: Int
        var condition: MediumCondition
        var assignment = MediumAssignment.idle
        let events: AsyncStream<MediumEvent>.Continuation
        let medium: Medium
    }

    package let clock = VirtualClock()
    private let listeners = Locked<[Int: Listener]>([:])

    package init() {}

    /// Returns a driver for one more device.
    package func driver(
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

    /// Lets time pass, and lets all broadcasts be heard again.
    package func advance(by duration: Duration) {
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

    /// Delivers a device's broadcast to all that scan in its place, itself included.
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

/// One device's connection to the ``Air``.
package final class AirDriver: MediumDriver {
    package let medium: Medium
    private let key: Int
    private let air: Air
    private let stream: AsyncStream<MediumEvent>

    init(_ medium: Medium, _ key: Int, in air: Air, events: AsyncStream<MediumEvent>) {
        (self.medium, self.key, self.air, stream) = (medium, key, air, events)
    }

    package func events() -> AsyncStream<MediumEvent> { stream }

    package func carryOut(_ assignment: MediumAssignment) async {
        air.change(key) { $0.assignment = assignment }
    }

    /// The assignment that it last received.
    package var assignment: MediumAssignment { air.assignment(key) }

    /// Moves the device. Devices in other places do not hear it, nor does it hear them.
    package func move(to place: Int) { air.change(key) { $0.place = place } }

    /// Delivers a beacon's frame, if the device looks for it.
    package func hear(_ id: AdvertisedID, _ reading: BeaconReading = BeaconReading()) {
        air.change(key) { listener in
            guard listener.assignment.beacons?.kinds.contains(id.kind) ?? false else { return }
            listener.events.yield(.beacon(BeaconSighting(id, reading: reading)))
        }
    }

    package func set(_ condition: MediumCondition) { air.change(key) { $0.condition = condition } }
}
