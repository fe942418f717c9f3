/// The number by which a device identifies its publication or subscription.
public struct OperationID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number. An engine counts from 1, publications and subscriptions together.
    public let number: UInt64

    /// - Parameter number: 1 to `Int64.max`; a server takes no other.
    public init(_ number: UInt64) { self.number = number }

    public static func < (a: OperationID, b: OperationID) -> Bool { a.number < b.number }
    public var description: String { String(number) }
}

/// A publication: content that a device offers to others.
public struct Publication: Sendable, Hashable {
    /// The content that others receive.
    public enum Content: Sendable, Hashable {
        /// A message, which other devices get from a registry once they are near.
        case message(Message)
        /// Bytes that sound carries as they are to every device that hears them.
        case audioBytes(AudioBytes)
    }

    /// The content. While it is published, a message can replace it.
    public var content: Content
    /// The strategy: the devices that receive it, the media, and the duration.
    public var strategy: Strategy

    /// Creates a publication of a message, unchecked: an engine checks it, or ``validate()``.
    public init(_ message: Message, strategy: Strategy = .standard) {
        (content, self.strategy) = (.message(message), strategy)
    }

    /// Creates a publication of bytes, which are only broadcast, and only by sound.
    public init(_ bytes: AudioBytes, timeToLive: Duration? = nil) {
        content = .audioBytes(bytes)
        strategy = Strategy(media: [.audio], mode: .broadcast, timeToLive: timeToLive)
    }

    /// Throws: as ``Strategy/validate()``; `.audioBytesNeedAudio`.
    public func validate() throws(NearbyError) {
        try strategy.validate()
        if case .audioBytes = content, !strategy.carriesBytes { throw .audioBytesNeedAudio }
    }
}

/// A subscription: a device's request for content of others.
public struct Subscription: Sendable, Hashable {
    /// The filter for messages of devices and of beacons.
    public var filter: MessageFilter
    /// The strategy: the media by which devices are found, and the duration. For beacons only the duration
    /// counts.
    public var strategy: Strategy
    /// True if the subscription looks for devices that publish.
    public var looksForDevices: Bool
    /// The strategy for beacons, or `nil` if the subscription looks for none. The registry of tokens does not
    /// learn of them.
    public var beacons: BeaconStrategy?

    /// Creates a subscription, by default to every message of devices and none of beacons. It is unchecked:
    /// an engine checks it, or ``validate()``.
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
        if filter.wantsAudioBytes && !strategy.carriesBytes { throw .audioBytesNeedAudio }
    }
}

/// One step of a batch; the steps of a batch are executed together or not at all.
public enum Operation: Sendable, Hashable {
    /// Begins a publication; its name must be new.
    case publish(OperationID, Publication)
    /// Replaces the content of a publication.
    case republish(OperationID, Message)
    /// Ends a publication: a device that has found it loses it.
    case unpublish(OperationID)
    /// Begins a subscription; its name must be new.
    case subscribe(OperationID, Subscription)
    /// Ends a subscription: no further event is delivered to it.
    case unsubscribe(OperationID)

    /// The publication or subscription that the step is about.
    public var id: OperationID {
        switch self {
        case .publish(let id, _), .republish(let id, _), .unpublish(let id), .subscribe(let id, _),
            .unsubscribe(let id):
            id
        }
    }
}
