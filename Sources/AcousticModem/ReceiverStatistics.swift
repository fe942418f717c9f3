/// Counters of each stage, for `--stats`: where frames are lost.
public struct ReceiverStatistics: Sendable, Hashable {
    public var samples = 0
    public var gatedCells = 0
    public var refinedCells = 0
    public var candidates = 0
    /// Candidates given up, by ``CandidateTrace/Outcome``.
    public var faint = 0
    public var crowded = 0
    public var known = 0
    public var unlikely = 0
    public var undecoded = 0
    public var unaffordable = 0
    public var decodings = 0
    public var checksPassed = 0
    public var belowEvidence = 0
    public var reports = 0

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
        reports += other.reports
    }

    /// Every counter with its name, in the order of the chain.
    public var counters: [(name: String, count: Int)] {
        [
            ("samples", samples), ("gated cells", gatedCells), ("refined cells", refinedCells),
            ("candidates", candidates), ("too faint", faint), ("crowded out", crowded),
            ("known already", known), ("unlikely", unlikely), ("undecoded", undecoded),
            ("unaffordable", unaffordable), ("decodings", decodings), ("checks passed", checksPassed),
            ("below evidence", belowEvidence), ("reports", reports),
        ]
    }
}
