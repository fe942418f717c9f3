/// What a registry must remember of a device to go on after a restart.
public struct DeviceRecord: Sendable, Hashable {
    public struct Published: Sendable, Hashable {
        public var name: PublicationID
        public var message: Message
        public var strategy: Strategy

        public init(name: PublicationID, message: Message, strategy: Strategy) {
            (self.name, self.message, self.strategy) = (name, message, strategy)
        }
    }

    /// A token it may broadcast.
    public struct Held: Sendable, Hashable {
        public var token: Token
        public var medium: Medium
        public var end: Instant

        public init(_ token: Token, on medium: Medium, end: Instant) {
            (self.token, self.medium, self.end) = (token, medium, end)
        }
    }

    public var published: [OperationID: Published] = [:]
    public var subscribed: [OperationID: Subscription] = [:]
    public var tokens: [Held] = []

    public init() {}
}

extension RegistryState {
    /// Nil when it is not known.
    public func record(of id: DeviceID) -> DeviceRecord? {
        guard let device = devices[id] else { return nil }
        var record = device.record
        record.tokens = tokens.held(by: id)
        return record
    }

    /// Takes back a device that was known before a restart; it is near nobody yet, and is told again of what it finds.
    public mutating func restore(_ record: DeviceRecord, now: Instant) -> DeviceID {
        let id = join(now: now)
        devices[id]?.take(record, now: now)
        queueEnd(of: id)
        for held in record.tokens { tokens.restore(held, of: id) }
        return id
    }
}
