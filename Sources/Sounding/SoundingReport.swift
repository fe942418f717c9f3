/// What a recording of a ``SoundingSignal`` says about the way it came.
///
/// Levels in dBFS: of playback the peak, 0 at full scale; of recorded sound the mean power, a full-scale sine −3.0.
public struct SoundingReport: Sendable, Hashable {
    /// One playback level.
    public struct Step: Sendable, Hashable {
        /// Peak of the sweeps at this level, as they were played.
        public var levelDBFS: Double
        /// Recorded power over played power in 18.5–20 kHz; nil where noise hides it.
        public var gainDecibels: Double?
        /// No louder than ``SoundingReport/recommendedLevelDBFS``.
        public var isLinear: Bool
    }

    /// Of the first sweep's strongest arrival in the recording.
    public var startSeconds: Double
    /// Positive is a fast player.
    public var clockSkewPPM: Double
    /// Of the whole recording, 1 at full scale.
    public var peak: Double
    /// Samples at full scale while the sounding lasts.
    public var clippedSampleCount: Int

    /// Response for each of ``SoundingBand/all``, over 16–17 kHz; nil where noise hides it.
    public var responseDecibels: [Double?]
    /// 18.5–20 kHz over 16–17 kHz; nil where noise hides one of them.
    public var tokenBandDecibels: Double?
    /// The band around the loudest step, within 6 dB of 16–17 kHz; nil where nothing is, or where noise hides it.
    public var edges6Hz: ClosedRange<Double>?
    /// As ``edges6Hz``, within 10 dB.
    public var edges10Hz: ClosedRange<Double>?

    /// From the quietest up.
    public var steps: [Step]
    /// The loudest at which the gain is still within 1 dB of that at low level; nil where no level was heard.
    public var recommendedLevelDBFS: Double?
    /// Last loud sweep over the first, in 18.5–20 kHz: an automatic gain, or someone moved; nil where noise hides them.
    public var driftDecibels: Double?

    /// Of 18.5–20 kHz, while nothing is played.
    public var noiseDBFS: Double
    /// Noise in each of ``SoundingBand/all``, while nothing is played.
    public var noiseStepsDBFS: [Double]
    /// What a steady waveform in 18.5–20 kHz with its peak at the recommended level arrives at.
    public var receivedDBFS: Double?
    /// ``receivedDBFS`` over ``noiseDBFS``.
    public var snrDecibels: Double? { receivedDBFS.map { $0 - noiseDBFS } }

    /// Root mean square over 18.5–20 kHz.
    public var delaySpreadSeconds: Double
    /// Nil where too little of a decay stands out of the noise.
    public var rt60Seconds: Double?
    /// Direct: within 1 ms of the strongest arrival. Nil where there is no reverberation to speak of.
    public var directToReverberantDecibels: Double?
    /// Power over delay, over the strongest arrival, noise included; the first value at ``echoStartSeconds``.
    public var echoPowers: [Double]
    /// Delay of the first of ``echoPowers``; negative: they begin before the strongest arrival.
    public var echoStartSeconds: Double
    /// From one of ``echoPowers`` to the next: one sample of the recording.
    public var echoStepSeconds: Double
    /// What ``echoPowers`` end in: the noise over the strongest arrival.
    public var echoNoiseDecibels: Double
}
