import Signal

/// What the recording device does to all it hears, noise included, in this order: gain, clipping, dropout, late start.
public struct Capture: Sendable, Hashable {
    /// An automatic gain that cannot make up its mind: down and up in turn.
    public struct GainSteps: Sendable, Hashable {
        /// How far down; the next step goes up by as much. Negative begins upwards.
        public var stepDecibels: Double
        /// From one step to the next; the first comes at random within it.
        public var intervalSeconds: Double

        /// - Parameter intervalSeconds: from one step to the next; the first comes at random within it.
        public init(stepDecibels: Double, intervalSeconds: Double) {
            self.stepDecibels = stepDecibels
            self.intervalSeconds = intervalSeconds
        }
    }

    /// A buffer that was not filled: zeros.
    public struct Dropout: Sendable, Hashable {
        /// After the direct sound's beginning; nil: anywhere within the transmission.
        public var startSeconds: Double?
        /// Of the gap; what lies beyond either end of the recording is left out.
        public var durationSeconds: Double

        /// - Parameter startSeconds: after the direct sound's beginning; nil: anywhere within the transmission.
        public init(startSeconds: Double?, durationSeconds: Double) {
            self.startSeconds = startSeconds
            self.durationSeconds = durationSeconds
        }
    }

    /// Nil: the gain stays.
    public var gainSteps: GainSteps?
    /// Share of the recording's samples that are cut off.
    public var clippedFraction = 0.0
    /// Nil: every buffer is filled.
    public var dropout: Dropout?
    /// The recording begins that long after the direct sound does; 0: with all there is before it.
    public var cutHeadSeconds = 0.0

    /// Changes nothing: the recording is what arrived.
    public init() {}

    /// - Parameters:
    ///   - startSeconds: of the direct sound in the recording.
    ///   - durationSeconds: of the transmission.
    func apply(
        to recording: inout [Float], startSeconds: Double, durationSeconds: Double, sampleRateHz: Double,
        seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        let (stepPhase, dropoutPlace) = (random.nextUnit(), random.nextUnit())
        if let gainSteps {
            Impairments.stepGain(
                &recording, decibels: gainSteps.stepDecibels,
                firstSample: Int(stepPhase * gainSteps.intervalSeconds * sampleRateHz),
                intervalSamples: Int(gainSteps.intervalSeconds * sampleRateHz))
        }
        Impairments.clip(&recording, fraction: clippedFraction)
        if let dropout {
            let room = max(0, durationSeconds - dropout.durationSeconds)
            let start = startSeconds + (dropout.startSeconds ?? dropoutPlace * room)
            Impairments.silence(
                &recording, fromSample: Int(start * sampleRateHz),
                count: Int(dropout.durationSeconds * sampleRateHz))
        }
        if cutHeadSeconds > 0 {
            recording.removeFirst(
                min(recording.count, Int((startSeconds + cutHeadSeconds) * sampleRateHz)))
        }
    }
}
