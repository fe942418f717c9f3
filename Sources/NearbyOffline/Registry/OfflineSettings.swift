import Nearby

/// Times and limits of a project without a server. All its devices must have the same ``epochSeconds``.
public struct OfflineSettings: Sendable, Hashable {
    /// How long a key is used; what was recorded is worth nothing after at most two of these. Clocks may differ by one.
    public var epochSeconds = 300
    /// A device that is not heard any more is near for so long after it last was…
    public var shortestLoss = Duration.milliseconds(13_500)
    /// …or for so many of the gaps between its frames, if that is longer…
    public var missedGaps = 3
    /// …but never longer.
    public var longestLoss = Duration.seconds(60)
    /// So many other devices are remembered at most; more are not heard.
    public var neighbourLimit = 256

    /// The standard values; devices with another ``epochSeconds`` are not heard.
    public init() {}

    func epoch(at time: OfflineTime) -> UInt64 {
        UInt64(max(0, time.wall.components.seconds)) / UInt64(max(1, epochSeconds))
    }

    func end(ofEpochAt time: OfflineTime) -> Instant {
        let end = Duration.seconds(Int64(epoch(at: time) + 1) * Int64(max(1, epochSeconds)))
        return time.now + (end - time.wall)
    }
}
