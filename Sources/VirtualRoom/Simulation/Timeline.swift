import Nearby

/// The events of a simulation, in order.
package struct Timeline: Sendable {
    package enum Event: Sendable, Hashable {
        case began(Operation)
        case ended(OperationID)
        case event(SubscriptionEvent, OperationID)
        /// The registry reported publications to the device, which may have known them already.
        case notified([Answer.Delivery])
        /// The registry did not take a report.
        case failed(RegistryError)
        case broadcasts(Token?)
        case scans(Bool)
        /// One of the device's own frames has just ended; it began ``Simulation/frameSeconds`` before.
        case sent
        /// The device heard another device's frame.
        case heard(Sighting)
    }

    package struct Entry: Sendable, Hashable {
        package var seconds: Double
        /// The index of the device.
        package var device: Int
        package var event: Event
    }

    package private(set) var entries: [Entry] = []

    mutating func add(_ event: Event, device: Int, now: Instant) {
        entries.append(Entry(seconds: now.offset.inSeconds, device: device, event: event))
    }

    /// Returns the time at which a device first found a message; `nil` if it never did.
    package func secondsUntilFound(_ message: Message, by device: Int) -> Double? {
        entries.first {
            guard $0.device == device, case .event(.found(let one), _) = $0.event else { return false }
            return one.message == message
        }?.seconds
    }

    /// Returns how often a device found, updated or lost a message.
    package func count(of change: Answer.Change, _ message: Message, by device: Int) -> Int {
        entries.count {
            guard $0.device == device, case .event(let event, _) = $0.event else { return false }
            switch (event, change) {
            case (.found(let one), .found), (.updated(let one), .updated), (.lost(let one), .lost):
                return one.message == message
            default: return false
            }
        }
    }
}
