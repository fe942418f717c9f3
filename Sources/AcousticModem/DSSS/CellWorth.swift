/// The bounds that a cell's sums must reach for the cell to be of any use. Most cells that pass the gate do
/// not reach them, and end here.
struct CellWorth: Sendable {
    /// The bounds of the first lane's sum, of the other lanes' sums, of the sum of thirds, and of the gate's
    /// sum.
    private let first: Float
    private let other: Float
    private let thirds: Float
    private let gate: Float

    /// The relative accuracy of the bounds, as a ratio. The bounds are also lowered by this factor.
    private static let allowance: Float = 0.999

    /// - Parameters:
    ///   - nats: the least value of ``Cell/nats``.
    ///   - lanePrior: the nats that lanes other than the first are behind.
    init(nats: Float, lanePrior: Float, clusterCount: Int, segmentCount: Int) {
        func sum(_ nats: Float, _ tail: (Float) -> Float) -> Float {
            var (low, high): (Float, Float) = (0, 1)
            while tail(high) < nats { (low, high) = (high, 2 * high) }
            while low < CellWorth.allowance * high {
                let middle = (low + high) / 2
                (low, high) = tail(middle) < nats ? (middle, high) : (low, middle)
            }
            return CellWorth.allowance * low
        }
        let groups = PilotPattern.groupCount
        first = sum(nats) { TailProbability.gammaNats($0, shape: segmentCount) }
        other = sum(nats + lanePrior) { TailProbability.gammaNats($0, shape: segmentCount) }
        // Thirds of several segments gather too little power each.
        thirds =
            segmentCount > 1
            ? .infinity : sum(nats) { TailProbability.gammaNats($0 * Float(groups), shape: groups) }
        gate = sum(nats) { gate in
            var nats: Float = 0
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 16) { scratch in
                scratch.initialize(repeating: gate)
                TailProbability.wideGammaNats(
                    scratch.baseAddress!, shape: clusterCount * segmentCount, 8,
                    into: scratch.baseAddress! + 8)
                nats = scratch[8]
            }
            return nats
        }
    }

    /// Returns true if one of the sums reaches its bound.
    ///
    /// - Parameter peaks: the maxima of ``CellSums/peaks(_:_:)``.
    @inline(__always)
    func isReached(_ peaks: InlineArray<5, Float>, gate: Float) -> Bool {
        peaks[0] >= first || max(peaks[1], peaks[2], peaks[3]) >= other || peaks[4] >= thirds
            || gate >= self.gate
    }
}
