/// Why something cannot be published, subscribed to or carried.
public indirect enum NearbyError: Error, Hashable, Sendable {
    case contentTooLarge(byteCount: Int)
    case typeTooLong(characterCount: Int)
    case audioBytesOutOfRange(byteCount: Int)
    case noMedia
    case noMode
    case backgroundNeedsBLEOnly
    case earshotNeedsAudio
    /// Mutual, and only broadcasts or only scans.
    case mutualNeedsBothModes
    case audioBytesNeedAudio
    case noBeaconKinds
    /// Neither devices nor beacons.
    case looksForNothing
    case timeToLiveOutOfRange(Duration)
    case unknownOperation(OperationID)
    case twiceInOneBatch(OperationID)
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
            "a time to live is more than 0 and at most \(Strategy.longestTimeToLive), not \(time)"
        case .unknownOperation(let id): "there is no operation \(id): it was ended already"
        case .twiceInOneBatch(let id): "operation \(id) is twice in one batch: end it once"
        case .engineEnded: "the engine has ended: make another one"
        }
    }
}
