/// Counters of each stage, for `--stats`: where frames are lost.
public struct ReceiverStatistics: Sendable, Hashable {
    public var samples = 0
    public var gatedCells = 0
    public var refinedCells = 0
    public var candidates = 0
    public var decodings = 0
    public var checksPassed = 0
    public var belowEvidence = 0
    public var reports = 0

    public init() {}

    mutating func add(_ other: ReceiverStatistics) {
        for counter in ReceiverStatistics.counters {
            self[keyPath: counter.path] += other[keyPath: counter.path]
        }
    }

    /// Every counter with its name, in the order of the chain.
    public static var counters: [(name: String, path: WritableKeyPath<ReceiverStatistics, Int>)] {
        [
            ("samples", \.samples), ("gated cells", \.gatedCells), ("refined cells", \.refinedCells),
            ("candidates", \.candidates),
            ("decodings", \.decodings), ("checks passed", \.checksPassed),
            ("below evidence", \.belowEvidence), ("reports", \.reports),
        ]
    }
}
