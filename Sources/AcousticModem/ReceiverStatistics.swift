/// Counters of each stage, for `--stats`: where frames are lost.
public struct ReceiverStatistics: Sendable, Hashable {
    /// Samples taken, at 48 kHz, regardless of how many profiles are listened for.
    public var samples: Int64 = 0
    /// Starts and Dopplers at which DSSS pilots are strong enough to be looked at with their phases.
    public var gatedCells: Int64 = 0
    /// ``gatedCells``, and finds in late rooms, that were looked at closely; for ggwave, markers whose length
    /// was read.
    public var refinedCells: Int64 = 0
    /// Hypotheses of a frame that the searches found: for ggwave, markers; for `fsk2`, bursts.
    public var candidates: Int64 = 0
    /// Candidates given up as ``CandidateTrace/Outcome/faint``: too few nats of pilots to be tried.
    public var faint: Int64 = 0
    /// Candidates given up as ``CandidateTrace/Outcome/crowded``; for ggwave, markers that gave way to
    /// clearer ones.
    public var crowded: Int64 = 0
    /// Candidates that were ``CandidateTrace/Outcome/known``: a frame that was heard before explains them.
    public var known: Int64 = 0
    /// Candidates given up as ``CandidateTrace/Outcome/unlikely``, after a first look.
    public var unlikely: Int64 = 0
    /// Candidates given up as ``CandidateTrace/Outcome/undecoded``: effort was spent, and no check held.
    public var undecoded: Int64 = 0
    /// Candidates given up as ``CandidateTrace/Outcome/unaffordable``: effort had been spent on others.
    public var unaffordable: Int64 = 0
    /// Runs of an error-correcting decoder; one candidate may take several.
    public var decodings: Int64 = 0
    /// Decoded words whose check bits held, or for ggwave the parity; one decoding may give several.
    public var checksPassed: Int64 = 0
    /// ``checksPassed`` and bursts of `fsk2` that were refused all the same, because noise could have made
    /// them.
    public var belowEvidence: Int64 = 0
    /// Words of DSSS and FSK frames that only their check bits kept out: each of them would have been a wrong
    /// token with a chance of 2⁻²⁴.
    public var chanceWords: Int64 = 0
    /// The part of ``chanceWords`` that would be reported at once even after many others.
    public var sureChanceWords: Int64 = 0
    /// Frames reported, each once.
    public var reports: Int64 = 0

    /// Every counter at 0.
    public init() {}

    mutating func count(_ outcome: CandidateTrace.Outcome) {
        switch outcome {
        case .heard: break  // as reports, once settled
        case .known: known += 1
        case .faint: faint += 1
        case .crowded: crowded += 1
        case .unlikely: unlikely += 1
        case .undecoded: undecoded += 1
        case .unaffordable: unaffordable += 1
        }
    }

    /// Adds each counter of another receiver.
    public mutating func add(_ other: ReceiverStatistics) {
        samples += other.samples
        gatedCells += other.gatedCells
        refinedCells += other.refinedCells
        candidates += other.candidates
        faint += other.faint
        crowded += other.crowded
        known += other.known
        unlikely += other.unlikely
        undecoded += other.undecoded
        unaffordable += other.unaffordable
        decodings += other.decodings
        checksPassed += other.checksPassed
        belowEvidence += other.belowEvidence
        chanceWords += other.chanceWords
        sureChanceWords += other.sureChanceWords
        reports += other.reports
    }

    /// Every counter with its name, in the order of the chain.
    public var counters: [(name: String, count: Int64)] {
        [
            ("samples", samples), ("search cells over the threshold", gatedCells),
            ("search cells refined", refinedCells), ("candidate frames", candidates),
            ("candidates too faint", faint), ("candidates weaker than too many others", crowded),
            ("candidates received before", known), ("candidates with too little evidence", unlikely),
            ("candidates whose checksum failed", undecoded),
            ("candidates beyond the limit on decoding effort", unaffordable),
            ("decodings", decodings), ("checks passed", checksPassed),
            ("checks passed by chance, rejected", belowEvidence),
            ("words that only their check kept out", chanceWords),
            ("words likely enough to be reported at once", sureChanceWords), ("frames reported", reports),
        ]
    }
}
