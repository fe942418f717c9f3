import Signal

/// The blocks in which a field is made.
extension ClusterField {
    /// The bins of which something is made.
    enum Bins: Int, Comparable {
        case none
        /// See ``SearchGrid/isOneOfEveryOther(_:)``.
        case everyOther
        case all

        static func < (a: Bins, b: Bins) -> Bool { a.rawValue < b.rawValue }
    }

    /// A stretch of `hop` columns, and the parts of it that have been made.
    struct Block: Sendable {
        var isStrong = false
        var values = Bins.none
        var hasValues: Bool { values != .none }
        /// The number of gates that have been made, from the block's beginning, and their bins.
        var gateCount = 0
        var gates = Bins.none
    }

    /// Returns true if a bin is one of `bins`.
    func isOne(_ bin: Int, of bins: Bins) -> Bool {
        switch bins {
        case .none: false
        case .everyOther: grid.isOneOfEveryOther(bin)
        case .all: true
        }
    }

    /// The position after the last column that may have a gate.
    var gateEnd: SamplePosition { end - grid.segmentSpanSamples }

    package mutating func makeAll() { make(start..<end) }
}
