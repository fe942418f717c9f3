/// Why something cannot be published, subscribed to or carried.
public indirect enum NearbyError: Error, Hashable, Sendable {
    /// More than ``Message/maximumContentByteCount``.
    case contentTooLarge(byteCount: Int)
    /// More than ``Message/maximumTypeCharacterCount``.
    case typeTooLong(characterCount: Int)
    /// A message's type or namespace, or a filter's, of more than ``Message/maximumNameScalarCount``.
    case nameTooLong(scalarCount: Int)
    /// A filter of more than ``MessageFilter/maximumRuleCount``.
    case tooManyRules(count: Int)
    /// Not as many as ``AudioBytes/byteCounts`` says.
    case audioBytesOutOfRange(byteCount: Int)
    /// A strategy without a medium.
    case noMedia
    /// A strategy that neither broadcasts nor scans.
    case noMode
    /// In the background, and ``Medium/audio`` is among the media.
    case backgroundNeedsBLEOnly
    /// Within earshot, and ``Medium/audio`` is not among the media.
    case earshotNeedsAudio
    /// Mutual, and only broadcasts or only scans.
    case mutualNeedsBothModes
    /// Bytes by sound, and ``Medium/audio`` is not among the media.
    case audioBytesNeedAudio
    /// Beacons, and no kind of them.
    case noBeaconKinds
    /// Neither devices nor beacons.
    case looksForNothing
    /// Nothing, less than nothing, or more than ``Strategy/longestTimeToLive``.
    case timeToLiveOutOfRange(Duration)
    /// It has ended, or is another engine's.
    case unknownOperation(OperationID)
    /// Two things were to be done to it at once.
    case twiceInOneBatch(OperationID)
    /// After ``NearbyEngine/end()``: what follows needs another engine.
    case engineEnded
}

extension NearbyError: CustomStringConvertible {
    /// One line: what was expected, what came, what to do.
    public var description: String {
        switch self {
        case .contentTooLarge(let count):
            "a message holds at most \(Message.maximumContentByteCount) bytes, not \(count): publish a link to it"
        case .typeTooLong(let count):
            "a type has at most \(Message.maximumTypeCharacterCount) characters, not \(count): shorten it"
        case .nameTooLong(let count):
            "a type or namespace has at most \(Message.maximumNameScalarCount) Unicode scalars, not \(count): shorten it"
        case .tooManyRules(let count):
            "a filter has at most \(MessageFilter.maximumRuleCount) rules, not \(count): subscribe more than once"
        case .audioBytesOutOfRange(let count):
            "sound carries \(AudioBytes.byteCounts.lowerBound) to \(AudioBytes.byteCounts.upperBound) bytes by themselves, not \(count): publish a message"
        case .noMedia: "a strategy needs a medium, and has none: name .audio, .ble or both"
        case .noMode: "a strategy broadcasts, scans or does both, and this one does neither: name a mode"
        case .backgroundNeedsBLEOnly: "in the background only BLE works: leave .audio out of the media"
        case .earshotNeedsAudio: "earshot is told by sound: put .audio among the media"
        case .mutualNeedsBothModes: "to hear and be heard takes both modes: broadcast and scan"
        case .audioBytesNeedAudio: "bytes without a server go by sound: put .audio among the media"
        case .noBeaconKinds:
            "beacons are looked for by their kinds, and none is named: name .eddystone or .iBeacon"
        case .looksForNothing:
            "a subscription looks for devices, beacons or both, and this one for neither: name one"
        case .timeToLiveOutOfRange(let time):
            "a time to live is more than 0 and at most \(Strategy.longestTimeToLive.words), not \(time.words)"
        case .unknownOperation(let id): "there is no operation \(id): it was ended already"
        case .twiceInOneBatch(let id): "operation \(id) is twice in one batch: end it once"
        case .engineEnded: "the engine has ended: make another one"
        }
    }
}
