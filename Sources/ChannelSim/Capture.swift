import Signal

/// The effect of the recording device on all sound, noise included, in this order: gain, clipping, dropout,
/// late start.
public struct Capture: Sendable, Hashable {
    /// An automatic gain that steps down and up in turn.
    public struct GainSteps: Sendable, Hashable {
        /// The decibels of a step down; the next step goes up by as much. A negative value begins upwards.
        public var stepDecibels: Double
        /// The time from one step to the next; the first comes at random within it.
        public var intervalSeconds: Double

        /// - Parameter intervalSeconds: the time from one step to the next; the first comes at random within
        ///   it.
        public init(stepDecibels: Double, intervalSeconds: Double) {
            self.stepDecibels = stepDecibels
            self.intervalSeconds = intervalSeconds
        }
    }

    /// A buffer that was not filled and holds zeros.
    public struct Dropout: Sendable, Hashable {
        /// The start after the direct sound's beginning; `nil` for anywhere within the transmission.
        public var startSeconds: Double?
        /// The length of the gap; its part beyond either end of the recording is left out.
        public var durationSeconds: Double

        /// - Parameter startSeconds: the start after the direct sound's beginning; `nil` for anywhere within
        ///   the transmission.
        public init(startSeconds: Double?, durationSeconds: Double) {
            self.startSeconds = startSeconds
            self.durationSeconds = durationSeconds
        }
    }

    /// The steps of the gain; `nil` if the gain is constant.
    public var gainSteps: GainSteps?
    /// The share of the recording's samples that are clipped.
    public var clippedFraction = 0.0
    /// The dropout; `nil` if every buffer is filled.
    public var dropout: Dropout?
    /// The time after the direct sound's beginning at which the recording begins; 0 keeps everything before
    /// it, too.
    public var cutHeadSeconds = 0.0

    /// Creates a capture that changes nothing.
    public init() {}

    /// - Parameters:
    ///   - startSeconds: the start of the direct sound in the recording.
    ///   - durationSeconds: the length of the transmission.
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
