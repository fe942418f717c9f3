/// The name by which receivers know a publication. It reveals nothing about the publisher.
public struct PublicationID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The 64 bits of the name. The registry draws them for a device's publication; for a beacon's attachment
    /// they are a hash.
    public let bits: UInt64

    /// Creates a name. Receivers treat publications with the same bits as one.
    public init(bits: UInt64) { self.bits = bits }

    public static func < (a: PublicationID, b: PublicationID) -> Bool { a.bits < b.bits }
    public var description: String { Token(bits: bits).description }
}

/// A message of a device nearby, or of a beacon. Two devices that publish the same content are two
/// discoveries.
public struct Discovery: Sendable, Hashable {
    /// The id that joins the events of one publication. It stays the same when a device changes the content.
    /// A beacon's attachment with another content has another id.
    public var id: PublicationID
    /// The message as it is now; in ``SubscriptionEvent/lost(_:)``, as it was last delivered.
    public var message: Message
    /// The reading of the beacon, or `nil` if the message is a device's.
    public var beacon: BeaconReading?

    /// Creates a discovery of a device's message, or of a beacon's if `beacon` is given.
    public init(id: PublicationID, message: Message, beacon: BeaconReading? = nil) {
        (self.id, self.message, self.beacon) = (id, message, beacon)
    }
}

/// An event of a subscription.
public enum SubscriptionEvent: Sendable, Hashable {
    /// The publication is near for the first time, or again after it was lost.
    case found(Discovery)
    /// The publisher has changed the content, or the beacon is nearer or farther away.
    case updated(Discovery)
    /// The publication is out of reach or no longer published; it may be found again.
    case lost(Discovery)
    /// Bytes were heard by sound. They are delivered again once they have not been heard for
    /// ``EngineSettings/neighbourhood``; they are never lost.
    case heardBytes(AudioBytes)
    /// The subscription's time to live has ended: no event follows.
    case expired
}
