/// Counters of each stage, for `--stats`: where frames are lost.
public struct ReceiverStatistics: Sendable, Hashable {
    public var samples = 0
    public var gatedCells = 0
    public var refinedCells = 0
    public var candidates = 0
    public var screenedCandidates = 0
    public var decodings = 0
    public var checksPassed = 0
    public var belowEvidence = 0
    public var reports = 0

    public init() {}
}
