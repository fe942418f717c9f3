/// The result of a recording of a ``SoundingSignal``: a description of the path that it took.
///
/// Levels are in dBFS: for playback the peak, 0 at full scale; for recorded sound the mean power, a
/// full-scale sine −3.0.
public struct SoundingReport: Sendable, Hashable {
    /// One playback level.
    public struct Step: Sendable, Hashable {
        /// The peak of the sweeps at this level, as they were played.
        public var levelDBFS: Double
        /// The recorded power over the played power in 18.5–20 kHz; `nil` if noise hides it.
        public var gainDecibels: Double?
        /// True if the level is no louder than ``SoundingReport/recommendedLevelDBFS``.
        public var isLinear: Bool
    }

    /// The start in the recording, in seconds, by the first sweep's strongest arrival.
    public var startSeconds: Double
    /// The clock skew; it is positive for a fast player.
    public var clockSkewPPM: Double
    /// The peak of the whole recording, 1 at full scale.
    public var peak: Double
    /// The number of samples at full scale while the sounding lasts.
    public var clippedSampleCount: Int

    /// The response for each of ``SoundingBand/all``, over 16–17 kHz; `nil` if noise hides it.
    public var responseDecibels: [Double?]
    /// The response in 18.5–20 kHz over that in 16–17 kHz; `nil` if noise hides one of them.
    public var tokenBandDecibels: Double?
    /// The band around the loudest step that stays within 6 dB of 16–17 kHz; `nil` if there is none, or if
    /// noise hides it.
    public var edges6Hz: ClosedRange<Double>?
    /// The same band as ``edges6Hz``, within 10 dB.
    public var edges10Hz: ClosedRange<Double>?

    /// The playback levels, from the quietest up.
    public var steps: [Step]
    /// The loudest level at which the gain is still within 1 dB of that at low level; `nil` if no level was
    /// heard.
    public var recommendedLevelDBFS: Double?
    /// The last loud sweep over the first, in 18.5–20 kHz, which an automatic gain or someone's movement
    /// changes; `nil` if noise hides them.
    public var driftDecibels: Double?

    /// The noise in 18.5–20 kHz, while nothing is played.
    public var noiseDBFS: Double
    /// The noise in each of ``SoundingBand/all``, while nothing is played.
    public var noiseStepsDBFS: [Double]
    /// The level at which a steady waveform in 18.5–20 kHz with its peak at the recommended level arrives;
    /// `nil` if it is not known.
    public var receivedDBFS: Double?
    /// The level ``receivedDBFS`` over ``noiseDBFS``.
    public var snrDecibels: Double? { receivedDBFS.map { $0 - noiseDBFS } }

    /// The root mean square delay spread over 18.5–20 kHz.
    public var delaySpreadSeconds: Double
    /// The reverberation time; `nil` if too little of a decay stands out of the noise.
    public var rt60Seconds: Double?
    /// The direct sound, within 1 ms of the strongest arrival, over the reverberation; `nil` if there is
    /// hardly any reverberation.
    public var directToReverberantDecibels: Double?
    /// The power over delay, relative to the strongest arrival, noise included; the first value is at
    /// ``echoStartSeconds``.
    public var echoPowers: [Double]
    /// The delay of the first of ``echoPowers``; negative, since they begin before the strongest arrival.
    public var echoStartSeconds: Double
    /// The time from one of ``echoPowers`` to the next: one sample of the recording.
    public var echoStepSeconds: Double
    /// The noise over the strongest arrival, at which ``echoPowers`` end.
    public var echoNoiseDecibels: Double
}
