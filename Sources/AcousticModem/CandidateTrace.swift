/// A candidate and what became of it: what `--trace` shows of a frame that should have been heard.
public struct CandidateTrace: Sendable, Hashable {
    /// Where in the chain a candidate was given up.
    public enum Stage: String, Sendable, CaseIterable {
        /// By what the search alone knew: ``CandidateTrace/Outcome/faint``, ``CandidateTrace/Outcome/crowded``.
        case acquisition
        /// After a first look at its own samples: ``CandidateTrace/Outcome/unlikely``.
        case tracking
        /// Where decoding takes effort: ``CandidateTrace/Outcome/undecoded``,
        /// ``CandidateTrace/Outcome/unaffordable``.
        case frame
    }

    /// What becomes of a candidate: it is heard, or there is a reason why not.
    public enum Outcome: String, Sendable, CaseIterable {
        /// Accepted as a frame; of several readings of the same sound the best is reported.
        case heard
        /// A frame that was heard before explains it.
        case known
        /// Too few nats of pilots to be tried.
        case faint
        /// Enough, but too many others of its half second had more.
        case crowded
        /// Glanced at: pilots and data together were not evident enough for more.
        case unlikely
        /// Decoded with more effort, and no check held.
        case undecoded
        /// It deserved more effort, and too much had been spent on others.
        case unaffordable

        /// Where it was given up; nil for what was heard, then or before.
        public var stage: Stage? {
            switch self {
            case .heard, .known: nil
            case .faint, .crowded: .acquisition
            case .unlikely: .tracking
            case .undecoded, .unaffordable: .frame
            }
        }
    }

    /// What became of it: heard, or why not.
    public var outcome: Outcome
    /// Whose search found it.
    public var profile: WaveformProfile
    /// Where the frame's ramp would begin, from the first sample processed.
    public var startSeconds: Double
    /// Closing speed at which it was found; clock skew counts as speed.
    public var speedMetersPerSecond: Float
    /// Of the carrier, by speed and clock skew together.
    public var carrierOffsetHz: Float
    /// 0 to 3: the transmitter's lane, as the pilots tell it.
    public var lane: Int
    /// Frames searched or decoded jointly.
    public var repeats: Int
    /// Log likelihood ratio of the pilots over noise.
    public var pilotNats: Float
    /// Pilots and code together, less what noise reaches; nil where it was given up, or explained, before its own decoding.
    public var evidenceNats: Float?
    /// The evidence that a frame of the profile needs, in nats; more where ``evidenceNats`` is that of fitted phases, each a try.
    public var neededNats: Float
    /// The delay profile as the pilots show it: power over the noise at delays a chip apart, the reference path at
    /// ``referenceTap``, about 1 where there is none. `[128]`, or empty before tracking.
    public var tapPowers: [Float] = []
    /// From one delay to the next; 0 where there is no profile.
    public var tapSpacingSeconds = 0.0

    /// Index of the reference path in ``tapPowers``; what stands before it arrived earlier.
    public static let referenceTap = TapLoads.referenceTap

    /// Where it was given up; nil for what was heard, then or before.
    public var stage: Stage? { outcome.stage }
}
