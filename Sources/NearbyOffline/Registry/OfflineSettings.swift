import Nearby

/// Times and limits of a project without a server. All its devices must have the same ``epochSeconds``.
public struct OfflineSettings: Sendable, Hashable {
    /// The duration of an epoch, in which one key is used. A recording is worthless after at most two epochs.
    /// Clocks may differ by one epoch.
    public var epochSeconds = 300
    /// The time for which a device stays near after it was last heard…
    public var shortestLoss = Duration.milliseconds(13_500)
    /// …or this number of the gaps between its frames, if that takes longer…
    package var missedGaps = 3
    /// …but never longer than this.
    public var longestLoss = Duration.seconds(60)
    /// The number of other devices that are remembered; further devices are not heard.
    package var neighbourLimit = 256

    /// Creates the standard values. Devices with another ``epochSeconds`` are not heard.
    public init() {}

    func epoch(at time: OfflineTime) -> UInt64 {
        UInt64(max(0, time.wall.components.seconds)) / UInt64(max(1, epochSeconds))
    }

    func end(ofEpochAt time: OfflineTime) -> Instant {
        let end = Duration.seconds(Int64(epoch(at: time) + 1) * Int64(max(1, epochSeconds)))
        return time.now + (end - time.wall)
    }
}
