/// A publication or a subscription, as its device names it.
public struct OperationID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// An engine counts from 1 on, publications and subscriptions together.
    public let number: UInt64

    /// - Parameter number: over 0, and at most `Int64.max`: a server takes no other.
    public init(_ number: UInt64) { self.number = number }

    public static func < (a: OperationID, b: OperationID) -> Bool { a.number < b.number }
    public var description: String { String(number) }
}

/// What a device lets others have.
public struct Publication: Sendable, Hashable {
    /// What others get.
    public enum Content: Sendable, Hashable {
        /// Through a registry, from which they have it once they are near.
        case message(Message)
        /// By sound as they are, to whoever hears them.
        case audioBytes(AudioBytes)
    }

    /// What others get; while it is published, a message can take its place.
    public var content: Content
    /// Who gets it, by which media, and for how long.
    public var strategy: Strategy

    /// Not checked: an engine does, or ``validate()``.
    public init(_ message: Message, strategy: Strategy = .standard) {
        (content, self.strategy) = (.message(message), strategy)
    }

    /// Bytes only broadcast, by sound only.
    public init(_ bytes: AudioBytes, timeToLive: Duration? = nil) {
        content = .audioBytes(bytes)
        strategy = Strategy(media: [.audio], mode: .broadcast, timeToLive: timeToLive)
    }

    /// Throws: as ``Strategy/validate()``; `.audioBytesNeedAudio`.
    public func validate() throws(NearbyError) {
        try strategy.validate()
        if case .audioBytes = content, !strategy.media.contains(.audio) { throw .audioBytesNeedAudio }
    }
}

/// What a device wants of others.
public struct Subscription: Sendable, Hashable {
    /// What it wants of devices and of beacons.
    public var filter: MessageFilter
    /// By which media devices are found, and for how long; for beacons it only says how long.
    public var strategy: Strategy
    /// Whether it looks for devices that publish.
    public var looksForDevices: Bool
    /// How it looks for beacons; nil: not at all. What becomes of them is not told to the registry of tokens.
    public var beacons: BeaconStrategy?

    /// By default every message of devices, none of beacons. Not checked: an engine does, or ``validate()``.
    public init(
        _ filter: MessageFilter = .everything, strategy: Strategy = .standard, looksForDevices: Bool = true,
        beacons: BeaconStrategy? = nil
    ) {
        (self.filter, self.strategy) = (filter, strategy)
        (self.looksForDevices, self.beacons) = (looksForDevices, beacons)
    }

    /// Throws: as ``Strategy/validate()``; `.audioBytesNeedAudio`, `.noBeaconKinds`, `.looksForNothing`,
    /// `.tooManyRules`, `.nameTooLong`.
    public func validate() throws(NearbyError) {
        try strategy.validate()
        try filter.validate()
        try beacons?.validate()
        if !looksForDevices && beacons == nil { throw .looksForNothing }
        if filter.wantsAudioBytes && !strategy.media.contains(.audio) { throw .audioBytesNeedAudio }
    }
}

/// One of several things that are done together or not at all.
public enum Operation: Sendable, Hashable {
    /// Begins a publication; its name must be new.
    case publish(OperationID, Publication)
    /// Another content under the same publication.
    case republish(OperationID, Message)
    /// Ends a publication: whoever has found it loses it.
    case unpublish(OperationID)
    /// Begins a subscription; its name must be new.
    case subscribe(OperationID, Subscription)
    /// Ends a subscription: nothing more is delivered to it.
    case unsubscribe(OperationID)

    /// The publication or subscription that it is done to.
    public var id: OperationID {
        switch self {
        case .publish(let id, _), .republish(let id, _), .unpublish(let id), .subscribe(let id, _),
            .unsubscribe(let id):
            id
        }
    }
}
