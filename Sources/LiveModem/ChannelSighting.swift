import AcousticModem
import Signal

/// A token that was received on one of several channels.
public struct ChannelSighting: Sendable, Hashable {
    /// The report of that channel; its times count from the first frame taken, at 48 kHz whatever the format.
    public var report: DecodeReport
    /// The channel's number, 1-based.
    public var channel: Int
    /// The number of frames that had been taken when the sighting came out.
    public internal(set) var foundFrame: Int
    /// The time at which its frame began to sound here; `nil` if no clock was read, as for a file.
    public internal(set) var start: ContinuousClock.Instant?
}

extension ChannelSighting: MergeableReport {
    package var foundEnd: SamplePosition { SamplePosition(foundFrame) }
}
