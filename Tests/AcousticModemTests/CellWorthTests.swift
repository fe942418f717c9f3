import Testing

@testable import AcousticModem

/// Tests that the bound that ends a cell early never exceeds the cell's need.
@Suite struct CellWorthTests {
    private static let (nats, lanePrior, clusters): (Float, Float, Int) = (6, 2, 12)

    /// Returns true if the bound is reached by sums of `row` alone, with `share` of what its nats need.
    private func isReached(row: Int, share: Float, segmentCount: Int) -> Bool {
        let (nats, prior) = (Self.nats, row > 0 && row < PilotPattern.laneCount ? Self.lanePrior : 0)
        let thirds = PilotPattern.groupCount
        var sum: Float = 0
        while row < PilotPattern.laneCount
            ? TailProbability.gammaNats(sum, shape: segmentCount) < nats + prior
            : TailProbability.gammaNats(sum * Float(thirds), shape: thirds) < nats
        { sum += 0.01 }
        var peaks = InlineArray<5, Float>(repeating: 0)
        peaks[row] = share * sum
        let worth = CellWorth(
            nats: nats, lanePrior: Self.lanePrior, clusterCount: Self.clusters, segmentCount: segmentCount)
        return worth.isReached(peaks, gate: 0)
    }

    @Test(arguments: [1, 4]) func aSumThatIsEnoughIsKept(segmentCount: Int) {
        for row in 0..<PilotPattern.laneCount {
            #expect(isReached(row: row, share: 1, segmentCount: segmentCount))
            #expect(!isReached(row: row, share: 0.99, segmentCount: segmentCount))
        }
        #expect(isReached(row: PilotPattern.laneCount, share: 1, segmentCount: 1))
        #expect(!isReached(row: PilotPattern.laneCount, share: 0.99, segmentCount: 1))
    }

    @Test func soIsAGateThatIsEnough() {
        let worth = CellWorth(
            nats: Self.nats, lanePrior: Self.lanePrior, clusterCount: Self.clusters, segmentCount: 1)
        let none = InlineArray<5, Float>(repeating: 0)
        for step in 0..<400 {
            let gates = [Float](repeating: 12 + 0.1 * Float(step), count: 8)
            var nats = gates
            TailProbability.wideGammaNats(gates, shape: Self.clusters, 8, into: &nats)
            if nats[0] >= Self.nats { #expect(worth.isReached(none, gate: gates[0])) }
            if nats[0] < Self.nats - 0.1 { #expect(!worth.isReached(none, gate: gates[0])) }
        }
    }
}
