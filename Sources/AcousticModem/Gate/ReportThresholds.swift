/// The thresholds by which candidates and reports are taken for views of one frame, in every family with a
/// ``FrameDeduplicator``.
struct ReportThresholds: Sendable {
    /// The share of a heard frame's pilot nats below which a candidate near it is a weaker view of it.
    /// Chosen, not measured.
    let weakerShare: Float = 0.7
    /// The baseband samples within which a candidate is the same view, however strong. Chosen, not measured.
    let sameStartSamples = 4.0
    /// The times that a heard frame's pilot nats exceed a candidate's, for it to be made of the frame's
    /// chips. Chosen, not measured.
    let overshadowingRatio: Float = 3
    /// The times that a heard frame's pilot nats exceed those of one of several repeats, for the repeats not
    /// to be read at all. At 3 to 10, 30 s of a sender at an SNR of 14 dB take 159 decodings instead of 1353,
    /// at 20 they take 450.
    let buryingRatio: Float = 10
    /// The frame lengths from one start to the next below which reports of one token overlap; those of a fast
    /// sender are shorter than 1.
    let leastPeriod = 0.98
    /// The silence within a frame, beyond its length, that leaves it one frame. Of 30 frames with up to 1.2 s
    /// cut or put in, up to 10 were reported twice without it and `leastPeriod`.
    let longestPauseSeconds = 1.0
    /// The part of a frame that a beginning and an end may both have or both lack. Chosen, not measured.
    let partTolerance: Float = 0.13
    /// The words a second that may be kept out by their check alone, for good: of so many chance passes one
    /// in four years.
    let chanceWordsPerSecond = 0.13
    /// The words that may be kept out at once; a frame that cannot be decoded has dozens. Chance passes one
    /// of so many words once in 560 times.
    let chanceWordReserve = 30_000.0
}
