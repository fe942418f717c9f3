/// A publication as receivers know it: the name says nothing of its publisher.
public struct PublicationID: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let bits: UInt64

    public init(bits: UInt64) { self.bits = bits }

    public static func < (a: PublicationID, b: PublicationID) -> Bool { a.bits < b.bits }
    public var description: String { Token(bits: bits).description }
}

/// A message of a device nearby, or of a beacon. Two devices that publish the same content are two discoveries.
public struct Discovery: Sendable, Hashable {
    public var id: PublicationID
    public var message: Message
    /// How its beacon is heard; nil for a device's.
    public var beacon: BeaconReading?

    public init(id: PublicationID, message: Message, beacon: BeaconReading? = nil) {
        (self.id, self.message, self.beacon) = (id, message, beacon)
    }
}

/// What becomes of a subscription.
public enum SubscriptionEvent: Sendable, Hashable {
    case found(Discovery)
    /// Its publisher has changed the content; or its beacon is nearer now, or farther away.
    case updated(Discovery)
    /// Out of reach, or no longer published; it may be found again.
    case lost(Discovery)
    case heardBytes(AudioBytes)
    /// The subscription's time to live is over: nothing follows.
    case expired
}
