/// How one publication or subscription finds devices.
public struct Strategy: Sendable, Hashable {
    /// What the device does on the media.
    public struct Mode: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It is heard by others.
        public static let broadcast = Mode(rawValue: 1)
        /// It listens for others.
        public static let scan = Mode(rawValue: 2)
        /// It is heard and hears; unless it is mutual, one of these is enough to be near.
        public static let both: Mode = [.broadcast, .scan]
    }

    /// With whom messages are exchanged.
    public enum Reach: String, Sendable, Hashable {
        /// Whoever is found, by any medium.
        case anywhere
        /// Only who is found by sound, which walls stop.
        case earshot
    }

    /// By which devices are found: any of them is enough. Not empty.
    public var media: Set<Medium>
    /// What it does, on each of ``media``. Not empty.
    public var mode: Mode
    /// Goes on when the app is in the background; only BLE can.
    public var allowInBackground: Bool
    /// After which it ends by itself; nil: as long as it is held.
    public var timeToLive: Duration?
    /// Whether it counts to be found by radio alone.
    public var reach: Reach
    /// Being heard is not enough, nor is hearing: each must hear the other.
    public var isMutual: Bool

    /// A day, which is allowed.
    public static let longestTimeToLive = Duration.seconds(86_400)

    /// Not checked: an engine does, or ``validate()``. The defaults are those of ``standard``.
    public init(
        media: Set<Medium> = [.audio, .ble], mode: Mode = .both, allowInBackground: Bool = false,
        timeToLive: Duration? = nil, reach: Reach = .anywhere, isMutual: Bool = false
    ) {
        (self.media, self.mode, self.allowInBackground) = (media, mode, allowInBackground)
        (self.timeToLive, self.reach, self.isMutual) = (timeToLive, reach, isMutual)
    }

    /// Both media, both directions, in the foreground, as long as it is held.
    public static let standard = Strategy()

    /// Throws what is wrong with it: `.noMedia`, `.noMode`, `.backgroundNeedsBLEOnly`, `.earshotNeedsAudio`,
    /// `.mutualNeedsBothModes`, `.timeToLiveOutOfRange`.
    public func validate() throws(NearbyError) {
        if media.isEmpty { throw .noMedia }
        if mode.isEmpty { throw .noMode }
        if allowInBackground && media.contains(.audio) { throw .backgroundNeedsBLEOnly }
        if reach == .earshot && !media.contains(.audio) { throw .earshotNeedsAudio }
        if isMutual && mode != .both { throw .mutualNeedsBothModes }
        if let timeToLive, timeToLive <= .zero || timeToLive > Strategy.longestTimeToLive {
            throw .timeToLiveOutOfRange(timeToLive)
        }
    }

    /// Whether being found on `medium` counts.
    public func counts(_ medium: Medium) -> Bool {
        media.contains(medium) && (reach == .anywhere || medium == .audio)
    }
}
