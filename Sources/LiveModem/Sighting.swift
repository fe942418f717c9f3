import AcousticModem

/// A token that was heard on one of several channels.
public struct Sighting: Sendable, Hashable {
    /// What was heard on that channel; its times count from the first frame taken, at 48 kHz whatever the format.
    public var report: DecodeReport
    /// 1-based.
    public var channel: Int
    /// Frames that had been taken when it came out.
    public internal(set) var foundFrame: Int
    /// When its frame began to sound here; nil where nobody looked at a clock, as in a file.
    public internal(set) var start: ContinuousClock.Instant?
}
