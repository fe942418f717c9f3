/// A reason why something cannot be published, subscribed to or carried.
public indirect enum NearbyError: Error, Hashable, Sendable {
    /// The content has more bytes than ``Message/maximumContentByteCount``.
    case contentTooLarge(byteCount: Int)
    /// The type has more characters than ``Message/maximumTypeCharacterCount``.
    case typeTooLong(characterCount: Int)
    /// A type or namespace of a message or filter has more scalars than ``Message/maximumNameScalarCount``.
    case nameTooLong(scalarCount: Int)
    /// The filter has more rules than ``MessageFilter/maximumRuleCount``.
    case tooManyRules(count: Int)
    /// The number of bytes is not in ``AudioBytes/byteCounts``.
    case audioBytesOutOfRange(byteCount: Int)
    /// The strategy has no medium.
    case noMedia
    /// The strategy neither broadcasts nor scans.
    case noMode
    /// The strategy allows the background, and its media contain ``Medium/audio``.
    case backgroundNeedsBLEOnly
    /// The strategy's reach is earshot, and its media do not contain ``Medium/audio``.
    case earshotNeedsAudio
    /// The strategy is mutual, and only broadcasts or only scans.
    case mutualNeedsBothModes
    /// The operation is for bytes by sound, and its media do not contain ``Medium/audio``.
    case audioBytesNeedAudio
    /// The subscription looks for beacons, and names no kind of them.
    case noBeaconKinds
    /// The subscription looks for neither devices nor beacons.
    case looksForNothing
    /// The time to live is not positive, or longer than ``Strategy/longestTimeToLive``.
    case timeToLiveOutOfRange(Duration)
    /// The operation has ended, or belongs to another engine.
    case unknownOperation(OperationID)
    /// A batch names the operation twice.
    case twiceInOneBatch(OperationID)
    /// The engine has ended (``NearbyEngine/end()``): further operations need another engine.
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
