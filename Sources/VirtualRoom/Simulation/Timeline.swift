import Nearby

/// What happened in a simulation, in order.
public struct Timeline: Sendable {
    public enum Event: Sendable, Hashable {
        case began(Operation)
        case ended(OperationID)
        case event(SubscriptionEvent, OperationID)
        /// What the registry told it of, whether it knew that or not.
        case told([Answer.Delivery])
        /// The registry did not take a report.
        case failed(RegistryError)
        case broadcasts(Token?)
        case scans(Bool)
        /// A frame of its own has just ended; it began ``Simulation/frameSeconds`` before.
        case sent
        /// A frame of somebody else.
        case heard(Sighting)
    }

    public struct Entry: Sendable, Hashable {
        public var seconds: Double
        /// Index of the device.
        public var device: Int
        public var event: Event
    }

    public private(set) var entries: [Entry] = []

    mutating func add(_ event: Event, device: Int, now: Instant) {
        entries.append(Entry(seconds: now.offset.inSeconds, device: device, event: event))
    }

    /// When a device found a message first; nil when it never did.
    public func secondsUntilFound(_ message: Message, by device: Int) -> Double? {
        entries.first {
            guard $0.device == device, case .event(.found(let one), _) = $0.event else { return false }
            return one.message == message
        }?.seconds
    }

    /// How often it found it, and lost it again.
    public func count(of change: Answer.Change, _ message: Message, by device: Int) -> Int {
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
