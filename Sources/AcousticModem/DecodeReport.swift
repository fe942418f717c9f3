/// A token that was heard.
public struct DecodeReport: Sendable, Hashable {
    /// The token, of a length that ``WaveformProfile/tokenByteCounts`` allows; for a ggwave message of fixed
    /// length, the whole padded message.
    public var token: [UInt8]
    /// The profile that the frame was sent in, as the receiver detected it.
    public var profile: WaveformProfile
    /// The start of the frame's ramp, in samples at 48 kHz from the first sample processed.
    public var startSample: Double
    /// The in-band signal-to-noise ratio: the frame's mean power over the noise in the profile's band.
    public var snrDecibels: Float
    /// The energy of the whole frame, ramps and pilots included, for each bit of the token, over the noise
    /// density.
    public var ebN0Decibels: Float
    /// The closing speed; a clock skew of 100 ppm looks like 0.034 m/s.
    public var speedMetersPerSecond: Float
    /// The number of frames that were combined to hear it.
    public var repeats: Int
    /// The transmitter's lane, 0 to 3.
    public var lane: Int
    /// The channel that heard the frame, or heard it best, by its place among the receiver's channels.
    package var channelIndex = 0
    /// True if the frame was too faint to be decoded: all of its chips were those of a token heard before,
    /// where that token's next frame was expected. Such a report renews what is known of a sender, and never
    /// says that one is new. Only a receiver that was asked to renew tokens makes it.
    public internal(set) var isRenewal = false

    /// True if the token has check bits and they held. Otherwise the token is only likely, and must not stand
    /// for a Nearby token.
    public var isChecked: Bool { profile.isChecked }

    /// The on-air time of the frame.
    public var durationSeconds: Double { profile.durationSeconds(tokenByteCount: token.count) }
    /// The start of the frame's ramp in seconds from the first sample processed: ``startSample`` in seconds.
    public var startSeconds: Double { startSample / Receiver.sampleRateHz }
}
