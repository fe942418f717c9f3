import Glibc
import Signal

/// A search for the places of frames, start × wideband Doppler × lane, from the pilots alone.
///
///     gate (non-coherent, each start, bin) → cells (coherent, fine Doppler) → refinement (delay profile)
///
/// It has no opposite on the transmitter, which only makes the pilots.
struct Acquisition: Sendable {
    let burst: BurstGrid
    let grid: SearchGrid
    private var refiner: CandidateRefiner
    let gate: ClusterGate
    var evaluator: CellEvaluator
    /// The gates of the searched starts, summed over looks, and the sums of one channel.
    var gateSums: ScratchBuffer<Float>
    var channelSums: ScratchBuffer<Float>
    var segmentOffsets: [Int]
    /// The range of each segment's start over all hypotheses, from the first segment's start.
    private let segmentReach: [ClosedRange<Int>]
    var places: ScratchBuffer<UInt16>
    let worth: CellWorth
    /// The cells of one search that passed the gate, and those of them that may be echoes, in order of
    /// position.
    private var cells: [Cell] = []
    private var echoes: [Cell] = []
    private static let usualCells = 2048
    /// `nil` for combinations: their single frames are searched for tails already.
    private var tailSearch: EchoTailSearch?

    /// The nats that a cell needs to be refined. Unless repeats are combined, noise reaches them once a
    /// second.
    private let cellThreshold: Float
    /// The greatest time after a path, and the greatest distance from it in Doppler, at which echoes support
    /// it.
    private static let echoSeconds = 0.045
    private static let echoHz = 1.2
    /// The nats that a lane other than 0 starts behind: it is used less, and must not cost lane 0 anything.
    static let lanePrior: Float = 2
    /// The number of cells that are refined in one search, best first.
    private static let refinedCells = 12
    /// The number of gates that are evaluated at a time, in whole vectors.
    private static let gatesAtATime = 32

    init(plan: BurstPlan, grid: SearchGrid) {
        self.grid = grid
        let burst = BurstGrid(plan: plan, grid: grid)
        self.burst = burst
        segmentReach = (0..<plan.segmentCount).map { burst.segmentOffsets($0) }
        refiner = CandidateRefiner(grid: grid, burst: burst)
        cellThreshold =
            plan.combinesRepeats ? Thresholds.dsss.repeatCellNats : Float(log(grid.hypothesesPerSecond))
        tailSearch = plan.segmentCount == 1 ? EchoTailSearch(grid: grid, burst: burst) : nil
        gateSums = ScratchBuffer(count: grid.searchedStarts + 2, repeating: 0)
        channelSums = ScratchBuffer(
            count: plan.channelCount > 1 ? grid.searchedStarts + 2 : 0, repeating: 0)
        evaluator = CellEvaluator(grid: grid, burst: burst)
        cells.reserveCapacity(Acquisition.usualCells)
        echoes.reserveCapacity(Acquisition.usualCells)
        segmentOffsets = [Int](repeating: 0, count: plan.segmentCount)
        places = ScratchBuffer(count: grid.searchedStarts + 3, repeating: 0)
        // A cell with less is no echo if echoes count, and no candidate if they do not.
        worth = CellWorth(
            nats: plan.segmentCount == 1 ? min(Thresholds.dsss.echoNats, cellThreshold) : cellThreshold,
            lanePrior: Acquisition.lanePrior, clusterCount: grid.clusterCount,
            segmentCount: plan.segmentCount)
        gate = ClusterGate(plan: plan, clusterCount: grid.clusterCount)
    }

    /// The number of samples beyond the last start that the field must hold.
    var lookahead: Int { burst.spanSamples + grid.segmentSpanSamples + refiner.reachAfter + 2 }
    /// The number of samples before the first start that the field must hold.
    var lookbehind: Int { refiner.reachBefore + 2 }
    /// The number of samples before the first start that are read if a reference path moves again and again.
    var farthestBehind: Int { 3 * lookbehind }
    /// True if the search covers the bins beyond the core ones for strong frames: it does for single
    /// segments on one channel.
    var readsOuterBins: Bool { burst.plan.lookCount == 1 }

    /// Makes the columns of a field that are read for each segment of a frame that begins at one of `starts`.
    private func make(
        _ field: inout ClusterField, _ starts: Range<SamplePosition>, before: Int = 0, after: Int = 0
    ) {
        for segment in segmentReach {
            field.make(
                starts.lowerBound - before + segment.lowerBound..<starts.upperBound + segment.upperBound
                    + grid.segmentSpanSamples + after)
        }
    }

    /// Makes the columns of the fields that are read about a candidate, whose reference path may move.
    private func makeAbout(
        _ position: SamplePosition, _ field: inout ClusterField, _ others: OtherFields
    ) {
        let (starts, after) = (position..<position + 1, 2 * refiner.reachAfter)
        make(&field, starts, before: farthestBehind, after: after)
        others.change { make(&$0, starts, before: farthestBehind, after: after) }
    }

    /// Makes the gates of the starts that are searched.
    private func makeGates(_ field: inout ClusterField, _ wanted: WantedStarts) {
        field.followsSteps = !wanted.isMeasured
        for part in wanted.open {
            for segment in segmentReach {
                field.makeGates(
                    part.starts.lowerBound - 1 + segment.lowerBound..<part.starts.upperBound + 1
                        + segment.upperBound)
            }
        }
    }

    /// Finds the candidates whose first cluster stands near `wanted` starts, best first. The fields must hold
    /// `lookbehind` before the starts and `lookahead` after them. If they hold less, echoes count less.
    ///
    /// - Parameter others: the fields of the other channels that are searched jointly, as many as the plan
    ///   has.
    mutating func search(
        _ field: inout ClusterField, _ others: OtherFields, _ wanted: WantedStarts,
        into candidates: inout [Candidate], statistics: inout ReceiverStatistics
    ) {
        precondition(others.places.upperBound == burst.plan.channelCount, "the channels that it was made for")
        var cells = self.cells.takeForReuse()
        defer { self.cells = cells }
        makeGates(&field, wanted)
        others.change { makeGates(&$0, wanted) }
        statistics.gatedCells += Int64(scan(field, others, wanted, &cells))
        addGates(&cells)
        if burst.plan.segmentCount == 1 { support(&cells) }
        cells.removeAll { $0.rank < cellThreshold }
        cells.sort { ($0.rank, $1.position) > ($1.rank, $0.position) }
        var tails: [EchoTail] = []
        if let roomStarts = wanted.roomStarts, tailSearch != nil {
            make(&field, roomStarts, after: refiner.reachAfter)
            others.change { make(&$0, roomStarts, after: refiner.reachAfter) }
            tailSearch?.search(
                field, others, starts: roomStarts, lanePrior: Acquisition.lanePrior,
                isMeasured: wanted.isMeasured)
            tails = tailSearch?.found ?? []
        }
        statistics.refinedCells += Int64(min(cells.count, Acquisition.refinedCells) + tails.count)
        for cell in cells.prefix(Acquisition.refinedCells) { makeAbout(cell.position, &field, others) }
        for tail in tails { makeAbout(tail.position, &field, others) }
        refiner.refine(
            field, others, cells: cells.prefix(Acquisition.refinedCells), tails: tails, into: &candidates)
    }

    /// Adds the support of echoes to cells. Echoes are cells soon after another cell at its Doppler; each may
    /// be too faint by itself.
    private mutating func support(_ cells: inout [Cell]) {
        echoes.removeAll(keepingCapacity: true)
        for cell in cells where cell.nats > Thresholds.dsss.echoNats { echoes.append(cell) }
        echoes.withUnsafeMutableBufferPointer {
            $0.heapSort { ($0.position, $0.bin) < ($1.position, $1.bin) }
        }
        let reach = Int(Acquisition.echoSeconds * grid.profile.band.rateHz)
        for index in cells.indices where cells[index].nats > Thresholds.dsss.supportedNats {
            let cell = cells[index]
            var low = 0
            var high = echoes.count
            while low < high {
                let middle = (low + high) / 2
                if echoes[middle].position <= cell.position + 1 { low = middle + 1 } else { high = middle }
            }
            for echo in echoes[low...] {
                guard echo.position <= cell.position + reach else { break }
                if echo.lane == cell.lane, dopplerDistance(echo, cell) < Acquisition.echoHz {
                    cells[index].support += echo.nats - Thresholds.dsss.echoNats
                }
            }
        }
    }

    private func dopplerDistance(_ a: Cell, _ b: Cell) -> Double {
        abs(grid.timeScale(bin: a.bin, fine: a.fine) - grid.timeScale(bin: b.bin, fine: b.fine))
            * grid.profile.carrierHz
    }

    /// Raises the nats of each cell to those of its clusters without regard to phase, if these are more.
    private func addGates(_ cells: inout [Cell]) {
        let shape = grid.clusterCount * burst.plan.lookCount
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * Acquisition.gatesAtATime) { scratch in
            let gates = scratch.baseAddress!
            let nats = gates + Acquisition.gatesAtATime
            for first in stride(from: 0, to: cells.count, by: Acquisition.gatesAtATime) {
                let count = min(Acquisition.gatesAtATime, cells.count - first)
                gates.update(repeating: 0, count: Acquisition.gatesAtATime)
                for i in 0..<count { gates[i] = cells[first + i].gate }
                TailProbability.wideGammaNats(gates, shape: shape, Acquisition.gatesAtATime, into: nats)
                for i in 0..<count { cells[first + i].nats = max(cells[first + i].nats, nats[i]) }
            }
        }
    }
}
