import Nearby

/// ``DeviceRecord`` as JSON, for stores.
public struct WireRecord: Codable, Sendable, Hashable {
    /// `DeviceRecord.Published` as JSON.
    public struct Published: Codable, Sendable, Hashable {
        /// The device's own number for it, over 0.
        public var id: Int64
        /// As receivers know it: 64 bits in 11 characters of base64url.
        public var name: String
        /// As it was said last.
        public var message: WireMessage
        /// As it was said last; a time to live begins anew when the device is restored.
        public var strategy: WireStrategy
    }

    /// Sorted by number.
    public var published: [Published]
    /// Sorted by number; not what they have found.
    public var subscribed: [WireReport.Subscribed]

    /// Without tokens: their times need a clock.
    public init(_ record: DeviceRecord) {
        published = record.published.sorted { $0.key < $1.key }.map { id, one in
            Published(
                id: id.wire, name: one.name.description, message: WireMessage(one.message),
                strategy: WireStrategy(one.strategy))
        }
        subscribed = record.subscribed.sorted { $0.key < $1.key }.map { WireReport.Subscribed($0, $1) }
    }

    /// Without tokens. Throws: what is wrong, and where.
    public func value() throws(WireError) -> DeviceRecord {
        var record = DeviceRecord()
        for (n, one) in published.enumerated() {
            let place = "published[\(n)]"
            record.published[try OperationID(wire: one.id, place)] = .init(
                name: PublicationID(bits: try Token(wire: one.name, place).bits),
                message: try one.message.value(place), strategy: try one.strategy.value(place))
        }
        for (n, one) in subscribed.enumerated() {
            let (id, subscription) = try one.value("subscribed[\(n)]")
            record.subscribed[id] = subscription
        }
        return record
    }
}
