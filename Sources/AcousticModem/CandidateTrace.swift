/// A candidate and its outcome. `--trace` prints it to show why a frame was not heard.
public struct CandidateTrace: Sendable, Hashable {
    /// The stage of the receiver that gave a candidate up.
    public enum Stage: String, Sendable, CaseIterable {
        /// The search gave it up by its own score: ``CandidateTrace/Outcome/faint``,
        /// ``CandidateTrace/Outcome/crowded``.
        case acquisition
        /// A first look at its own samples gave it up: ``CandidateTrace/Outcome/unlikely``.
        case tracking
        /// The decoder gave it up, where effort is spent: ``CandidateTrace/Outcome/undecoded``,
        /// ``CandidateTrace/Outcome/unaffordable``.
        case frame
    }

    /// The outcome of a candidate: it is heard, or the reason why it is not.
    public enum Outcome: String, Sendable, CaseIterable {
        /// The candidate was accepted as a frame. The best of several readings of the same sound is reported.
        case heard
        /// A frame that was heard before explains the candidate.
        case known
        /// The pilots had too few nats for an attempt.
        case faint
        /// The pilots had enough nats, but too many other candidates of the same half second had more.
        case crowded
        /// A first look found too little evidence in pilots and data together.
        case unlikely
        /// The decoder spent more effort on it, and no check held.
        case undecoded
        /// The candidate deserved more effort, but too much had been spent on others.
        case unaffordable

        /// The stage that gave the candidate up; `nil` for ``heard`` and ``known``.
        public var stage: Stage? {
            switch self {
            case .heard, .known: nil
            case .faint, .crowded: .acquisition
            case .unlikely: .tracking
            case .undecoded, .unaffordable: .frame
            }
        }
    }

    /// The outcome of this candidate.
    public var outcome: Outcome
    /// The profile whose search found it.
    public var profile: WaveformProfile
    /// The start of the frame's ramp in seconds from the first sample processed.
    public var startSeconds: Double
    /// The closing speed at which it was found; clock skew counts as speed.
    public var speedMetersPerSecond: Float
    /// The carrier's offset in hertz, from speed and clock skew together.
    public var carrierOffsetHz: Float
    /// The transmitter's lane, 0 to 3, that the pilots show.
    public var lane: Int
    /// The number of frames that were searched or decoded jointly.
    public var repeats: Int
    /// The log likelihood ratio of the pilots over noise, in nats.
    public var pilotNats: Float
    /// The evidence of pilots and code together, less what noise reaches, in nats; `nil` if the candidate was
    /// given up or explained before its own decoding.
    public var evidenceNats: Float?
    /// The evidence in nats that a frame of the profile needs. It is higher where ``evidenceNats`` comes from
    /// fitted phases, since each fit is one more try.
    public var neededNats: Float
    /// The delay profile that the pilots show: power over the noise at delays a chip apart, with the
    /// reference path at ``referenceTap``. Without a path a tap is about 1. `[128]`, or empty before
    /// tracking.
    public var tapPowers: [Float] = []
    /// The time from one tap to the next; 0 if there is no delay profile.
    public var tapSpacingSeconds = 0.0

    /// The index of the reference path in ``tapPowers``; taps before it arrived earlier.
    public static let referenceTap = TapLoads.referenceTap

    /// The stage that gave the candidate up; `nil` if it was heard, now or before.
    public var stage: Stage? { outcome.stage }
}
