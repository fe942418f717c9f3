/// A token that was heard.
public struct DecodeReport: Sendable, Hashable {
    /// As many bytes as ``WaveformProfile/tokenByteCounts`` allows; of a ggwave message of fixed length, all of it.
    public var token: [UInt8]
    /// What it was sent in, as the receiver found out.
    public var profile: WaveformProfile
    /// Where the frame's ramp begins, samples at 48 kHz from the first sample processed.
    public var startSample: Double
    /// In-band signal-to-noise ratio: mean power of the frame over the noise in the profile's band.
    public var snrDecibels: Float
    /// Energy of the whole frame, ramps and pilots included, for each bit of the token, over the noise density.
    public var ebN0Decibels: Float
    /// Closing speed; a clock skew of 100 ppm looks like 0.034 m/s.
    public var speedMetersPerSecond: Float
    /// Frames combined to hear it.
    public var repeats: Int
    /// 0 to 3: the transmitter's lane.
    public var lane: Int

    /// Whether check bits held. Without them the token is only likely, and must not stand for a Nearby token.
    public var isChecked: Bool { profile.isChecked }

    /// On-air time of the frame.
    public var durationSeconds: Double { profile.durationSeconds(tokenByteCount: token.count) }
    /// Where the frame's ramp begins, from the first sample processed; ``startSample`` in seconds.
    public var startSeconds: Double { startSample / Receiver.sampleRateHz }
}
