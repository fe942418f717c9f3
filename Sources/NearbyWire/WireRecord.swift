import Nearby

/// ``DeviceRecord`` as JSON, for stores.
package struct WireRecord: Codable, Sendable, Hashable {
    /// `DeviceRecord.Published` as JSON.
    package struct Published: Codable, Sendable, Hashable {
        /// The device's own number for it, greater than 0.
        package var id: Int64
        /// The name by which receivers know the publication: 64 bits in 11 characters of base64url.
        package var name: String
        /// The message that the device reported last.
        package var message: WireMessage
        /// The strategy that the device reported last. Its time to live starts anew when the device is
        /// restored.
        package var strategy: WireStrategy
    }

    /// The publications, sorted by number.
    package var published: [Published]
    /// The subscriptions, sorted by number, without what they have found.
    package var subscribed: [WireReport.Subscribed]

    /// Encodes a record without its tokens, because their times need a clock.
    package init(_ record: DeviceRecord) {
        published = record.published.sorted { $0.key < $1.key }.map { id, one in
            Published(
                id: id.wire, name: one.name.description, message: WireMessage(one.message),
                strategy: WireStrategy(one.strategy))
        }
        subscribed = record.subscribed.sorted { $0.key < $1.key }.map { WireReport.Subscribed($0, $1) }
    }

    /// Decodes the record, without tokens. Throws: an error that says what is wrong, and where.
    package func value() throws(WireError) -> DeviceRecord {
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
