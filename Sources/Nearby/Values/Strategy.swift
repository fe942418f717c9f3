/// The strategy by which one publication or subscription finds devices.
public struct Strategy: Sendable, Hashable {
    /// The directions in which the device uses the media.
    public struct Mode: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The device is heard by others.
        public static let broadcast = Mode(rawValue: 1)
        /// The device listens for others.
        public static let scan = Mode(rawValue: 2)
        /// The device is heard and hears. Unless the strategy is mutual, one of the two is enough to be near.
        public static let both: Mode = [.broadcast, .scan]
    }

    /// The reach within which messages are exchanged.
    public enum Reach: String, Sendable, Hashable {
        /// All devices that are found, by any medium.
        case anywhere
        /// Only devices that are found by sound, which walls stop.
        case earshot
    }

    /// The media by which devices are found: any of them is enough. It is not empty.
    public var media: Set<Medium> {
        get { Set(Medium.allCases.filter(uses)) }
        set { mediaBits = Strategy.bits(of: newValue) }
    }
    /// ``media``, one bit for each. A server keeps many strategies, and a set would be an object in each.
    private var mediaBits: UInt8
    /// The directions in which each of ``media`` is used. It is not empty.
    public var mode: Mode
    /// True if the operation continues while the app is in the background; only BLE can do so.
    public var allowInBackground: Bool
    /// The time after which the operation ends by itself, or `nil` if it lasts as long as it is held.
    public var timeToLive: Duration?
    /// The reach: it determines whether being found by radio alone counts.
    public var reach: Reach
    /// True if each device must hear the other: neither being heard nor hearing is enough alone.
    public var isMutual: Bool

    /// The longest time to live that is allowed: a day.
    package static let longestTimeToLive = Duration.seconds(86_400)

    /// Creates a strategy, unchecked: an engine checks it, or ``validate()``. The defaults are those of
    /// ``standard``.
    public init(
        media: Set<Medium> = [.audio, .ble], mode: Mode = .both, allowInBackground: Bool = false,
        timeToLive: Duration? = nil, reach: Reach = .anywhere, isMutual: Bool = false
    ) {
        (mediaBits, self.mode) = (Strategy.bits(of: media), mode)
        self.allowInBackground = allowInBackground
        (self.timeToLive, self.reach, self.isMutual) = (timeToLive, reach, isMutual)
    }

    /// The standard strategy: both media, both directions, in the foreground, as long as it is held.
    public static let standard = Strategy()

    /// Throws: `.noMedia`, `.noMode`, `.backgroundNeedsBLEOnly`, `.earshotNeedsAudio`,
    /// `.mutualNeedsBothModes`, `.timeToLiveOutOfRange`.
    public func validate() throws(NearbyError) {
        if media.isEmpty { throw .noMedia }
        if mode.isEmpty { throw .noMode }
        if allowInBackground && !media.allSatisfy({ $0.traits.contains(.worksInBackground) }) {
            throw .backgroundNeedsBLEOnly
        }
        if reach == .earshot && !media.contains(where: counts) { throw .earshotNeedsAudio }
        if isMutual && mode != .both { throw .mutualNeedsBothModes }
        if let timeToLive, timeToLive <= .zero || timeToLive > Strategy.longestTimeToLive {
            throw .timeToLiveOutOfRange(timeToLive)
        }
    }

    /// True if one of the media carries bytes without a server.
    var carriesBytes: Bool { media.contains { $0.traits.contains(.carriesBytes) } }

    /// Returns true if being found on `medium` counts.
    public func counts(_ medium: Medium) -> Bool {
        uses(medium) && (reach == .anywhere || medium.traits.contains(.stopsAtWalls))
    }

    /// Returns true if `medium` is among ``media``.
    func uses(_ medium: Medium) -> Bool { mediaBits & medium.bit != 0 }

    private static func bits(of media: Set<Medium>) -> UInt8 { media.reduce(0) { $0 | $1.bit } }
}
