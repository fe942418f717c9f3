/// A publication or a subscription, as its device names it.
public struct OperationID: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let number: UInt64

    public init(_ number: UInt64) { self.number = number }

    public static func < (a: OperationID, b: OperationID) -> Bool { a.number < b.number }
    public var description: String { String(number) }
}

/// What a device lets others have.
public struct Publication: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        case message(Message)
        case audioBytes(AudioBytes)
    }

    public var content: Content
    public var strategy: Strategy

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
    public var filter: MessageFilter
    public var strategy: Strategy
    /// Whether it looks for devices that publish.
    public var looksForDevices: Bool
    /// How it looks for beacons; nil: not at all. What becomes of them is not told to the registry of tokens.
    public var beacons: BeaconStrategy?

    public init(
        _ filter: MessageFilter = .everything, strategy: Strategy = .standard, looksForDevices: Bool = true,
        beacons: BeaconStrategy? = nil
    ) {
        (self.filter, self.strategy) = (filter, strategy)
        (self.looksForDevices, self.beacons) = (looksForDevices, beacons)
    }

    /// Throws: as ``Strategy/validate()``; `.audioBytesNeedAudio`, `.noBeaconKinds`, `.looksForNothing`.
    public func validate() throws(NearbyError) {
        try strategy.validate()
        try beacons?.validate()
        if !looksForDevices && beacons == nil { throw .looksForNothing }
        if filter.wantsAudioBytes && !strategy.media.contains(.audio) { throw .audioBytesNeedAudio }
    }
}

/// One of several things that are done together or not at all.
public enum Operation: Sendable, Hashable {
    case publish(OperationID, Publication)
    /// Another content under the same publication.
    case republish(OperationID, Message)
    case unpublish(OperationID)
    case subscribe(OperationID, Subscription)
    case unsubscribe(OperationID)

    public var id: OperationID {
        switch self {
        case .publish(let id, _), .republish(let id, _), .unpublish(let id), .subscribe(let id, _),
            .unsubscribe(let id):
            id
        }
    }
}
