/// A publication as receivers know it: the name says nothing of its publisher.
public struct PublicationID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Drawn by the registry for a device's publication; a hash of what a beacon stands for.
    public let bits: UInt64

    /// Whatever has the same bits is one publication to its receivers.
    public init(bits: UInt64) { self.bits = bits }

    public static func < (a: PublicationID, b: PublicationID) -> Bool { a.bits < b.bits }
    public var description: String { Token(bits: bits).description }
}

/// A message of a device nearby, or of a beacon. Two devices that publish the same content are two discoveries.
public struct Discovery: Sendable, Hashable {
    /// Joins the events of one publication: the same when a device changes the content. What a beacon stands
    /// for has another id with another content.
    public var id: PublicationID
    /// As it is now; in ``SubscriptionEvent/lost(_:)``, as it was told last.
    public var message: Message
    /// How its beacon is heard; nil for a device's.
    public var beacon: BeaconReading?

    /// Of a device, unless `beacon` is given.
    public init(id: PublicationID, message: Message, beacon: BeaconReading? = nil) {
        (self.id, self.message, self.beacon) = (id, message, beacon)
    }
}

/// What becomes of a subscription.
public enum SubscriptionEvent: Sendable, Hashable {
    /// Near for the first time, or again after it was lost.
    case found(Discovery)
    /// Its publisher has changed the content; or its beacon is nearer now, or farther away.
    case updated(Discovery)
    /// Out of reach, or no longer published; it may be found again.
    case lost(Discovery)
    /// Bytes came by sound. Told again once they were not heard for ``EngineSettings/neighbourhood``; never
    /// lost.
    case heardBytes(AudioBytes)
    /// The subscription's time to live is over: nothing follows.
    case expired
}
