import Glibc
import Signal

/// Finds where frames may stand: start × wideband Doppler × lane, from the pilots alone.
///
///     gate (non-coherent, every start and bin)  →  cells (coherent, every fine Doppler)  →  refinement (delay profile)
///
/// Opposite of nothing on the transmitter: it only makes the pilots.
struct Acquisition: Sendable {
    let burst: BurstGrid
    let grid: SearchGrid
    private var refiner: CandidateRefiner
    private let gate: ClusterGate
    /// Joint gates of the starts searched; and powers of a cell, `[GroupSums.rowCount][fineCount]`.
    private var gateSums: ScratchBuffer<Float>
    private var rows: ScratchBuffer<Float>
    private var segmentOffsets: [Int]
    /// Where each segment starts under any hypothesis, from the first one's start.
    private let segmentReach: [ClosedRange<Int>]
    private var places: ScratchBuffer<UInt16>
    private let worth: CellWorth
    /// Of one search: cells that passed the gate, and those of them that may be echoes, by position.
    private var cells: [Cell] = []
    private var echoes: [Cell] = []
    private static let usualCells = 2048
    /// Nil for combinations, whose single frames are searched for tails already.
    private var tailSearch: EchoTailSearch?

    /// Nats a cell needs to be refined: noise reaches them once a second.
    private let cellThreshold: Float
    /// What supports a path: echoes within this time after it and this far in Doppler.
    private static let echoSeconds = 0.045
    private static let echoHz = 1.2
    /// Of a combination's power, the most that one of its segments may hold.
    private static func greatestSegmentShare(_ segmentCount: Int) -> Float {
        switch segmentCount {
        case 2: Thresholds.dsss.pairSegmentShare
        case 3: Thresholds.dsss.tripleSegmentShare
        default: 1
        }
    }
    /// A lane other than 0 starts this many nats behind: it is used less, and must not cost lane 0 anything.
    private static let lanePrior: Float = 2
    /// Cells refined in one search, best first.
    private static let refinedCells = 12
    /// Whole vectors.
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
        rows = ScratchBuffer(count: GroupSums.rowCount * grid.fineCount, repeating: 0)
        cells.reserveCapacity(Acquisition.usualCells)
        echoes.reserveCapacity(Acquisition.usualCells)
        segmentOffsets = [Int](repeating: 0, count: plan.segmentCount)
        places = ScratchBuffer(count: grid.searchedStarts + 3, repeating: 0)
        // Less can be no echo where echoes count, and no candidate where they do not.
        worth = CellWorth(
            nats: plan.segmentCount == 1 ? min(Thresholds.dsss.echoNats, cellThreshold) : cellThreshold,
            lanePrior: Acquisition.lanePrior, clusterCount: grid.clusterCount,
            segmentCount: plan.segmentCount)
        gate = ClusterGate(plan: plan, clusterCount: grid.clusterCount)
    }

    /// How far beyond the last start the field must reach.
    var lookahead: Int { burst.spanSamples + grid.segmentSpanSamples + refiner.reachAfter + 2 }
    /// How far before the first start.
    var lookbehind: Int { refiner.reachBefore + 2 }
    /// The same, where a reference path moves again and again.
    var farthestBehind: Int { 3 * lookbehind }
    /// Whether it seeks strong frames in the bins beyond the core ones: where it seeks single segments.
    var readsOuterBins: Bool { burst.plan.segmentCount == 1 }

    /// Has a field make what is read of each segment of a frame that begins at one of `starts`.
    private func make(_ field: inout ClusterField, _ starts: Range<Int>, before: Int = 0, after: Int = 0) {
        for segment in segmentReach {
            field.make(
                starts.lowerBound - before + segment.lowerBound..<starts.upperBound + segment.upperBound
                    + grid.segmentSpanSamples + after)
        }
    }

    /// The same about a candidate, whose reference path may move.
    private func makeAbout(_ position: Int, _ field: inout ClusterField) {
        make(&field, position..<position + 1, before: farthestBehind, after: 2 * refiner.reachAfter)
    }

    /// Finds the candidates whose first cluster stands near `starts`, at most ``SearchGrid/searchedStarts`` in all and in
    /// order, best first. The field must hold `lookbehind` before and `lookahead` after them; where less is held, echoes
    /// count less.
    ///
    /// - Parameters:
    ///   - roomStarts: where rooms are sought of which no path stands out; nil: nowhere.
    ///   - isPrompt: a few starts about a strong path. Every one over the gate is looked at: clusters rounded to
    ///   samples, most power is not always where their phases agree. Rooms of which no path stands out are not sought.
    mutating func search(
        _ field: inout ClusterField, _ open: [OpenStarts], roomStarts: Range<Int>?, isPrompt: Bool = false,
        into candidates: inout [Candidate], statistics: inout ReceiverStatistics
    ) {
        var cells = self.cells.takeForReuse()
        defer { self.cells = cells }
        for part in open {
            for segment in segmentReach {
                field.makeGates(
                    part.starts.lowerBound - 1 + segment.lowerBound..<part.starts.upperBound + 1
                        + segment.upperBound)
            }
        }
        let seeksStrong = readsOuterBins && field.strongEnd > open[0].starts.lowerBound
        let mayBeRooms = isPrompt || roomStarts != nil
        for bin in seeksStrong ? 0..<grid.binCount : grid.coreBins {
            let isCore = grid.coreBins.contains(bin)
            for run in burst.runs[bin] {
                for part in open {
                    let threshold =
                        isCore ? gate.threshold(part.energy, mayBeRooms: mayBeRooms) : gate.strong
                    statistics.gatedCells += scan(
                        field, bin, run, part, threshold: threshold, everyStart: isPrompt, &cells)
                }
            }
        }
        addGates(&cells)
        if burst.plan.segmentCount == 1 { support(&cells) }
        cells.removeAll { $0.rank < cellThreshold }
        cells.sort { ($0.rank, $1.position) > ($1.rank, $0.position) }
        var tails: [EchoTail] = []
        if let roomStarts, tailSearch != nil {
            make(&field, roomStarts, after: refiner.reachAfter)
            tailSearch?.search(field, starts: roomStarts, lanePrior: Acquisition.lanePrior)
            tails = tailSearch?.found ?? []
        }
        statistics.refinedCells += min(cells.count, Acquisition.refinedCells) + tails.count
        for cell in cells.prefix(Acquisition.refinedCells) { makeAbout(cell.position, &field) }
        for tail in tails { makeAbout(tail.position, &field) }
        refiner.refine(
            field, cells: cells.prefix(Acquisition.refinedCells), tails: tails, into: &candidates)
    }

    /// Echoes speak for a path: cells soon after another at its Doppler, each too faint by itself.
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

    /// Gates one bin and one run of groups, and evaluates the local maxima that pass. Returns how many they are.
    private mutating func scan(
        _ field: ClusterField, _ bin: Int, _ groups: Range<Int>, _ open: OpenStarts, threshold: Float,
        everyStart: Bool, _ cells: inout [Cell]
    ) -> Int {
        let starts = open.starts
        // Start p stands at p − first, with a neighbour at each end.
        let first = starts.lowerBound - 1
        let count = starts.count + 2
        for segment in segmentOffsets.indices {
            segmentOffsets[segment] = burst.segmentOffset(
                bin: bin, group: groups.lowerBound, segment: segment)
        }
        let sums = gateSums.claim()
        let places = self.places.claim()
        return field.withBin(bin) { values, gates in
            var gate = gates + first
            if segmentOffsets.count > 1 {
                segmentOffsets.withUnsafeBufferPointer {
                    Kernels.sumRows(gates + first, offsets: $0, count, into: sums)
                }
                gate = UnsafePointer(sums)
            }
            let passed = Kernels.peaksAbove(threshold, gate + 1, starts.count, all: everyStart, into: places)
            var gains = SegmentGains(bin: bin, group: groups.lowerBound)
            GroupSums.withCells(grid, burst, bin: bin, groups: groups) { sums in
                for i in 0..<passed {
                    let place = Int(places[i])
                    let position = starts.lowerBound + place
                    gains.move(to: position, field, grid, burst)
                    let peaks = sums.peaks(values + position, gains.values)
                    guard worth.isReached(peaks, gate: gate[place + 1]) else { continue }
                    var cell = cell(bin, groups, position, gate: gate[place + 1], values, gains.values)
                    cell.missingNats = open.energy.missingNats
                    cells.append(cell)
                }
            }
            return passed
        }
    }

    /// The best fine Doppler and lane at one start: clusters summed coherently over each segment.
    private mutating func cell(
        _ bin: Int, _ groups: Range<Int>, _ position: Int, gate: Float, _ values: UnsafePointer<Complex>,
        _ gains: InlineArray<4, Float>
    ) -> Cell {
        let plan = burst.plan
        let fineCount = groups.count * SearchGrid.finePerGroup
        let rows = rows.claim()
        for (place, group) in groups.enumerated() {
            for segment in 0..<plan.segmentCount {
                let base = position + burst.segmentOffset(bin: bin, group: group, segment: segment)
                GroupSums.addPowers(
                    values + base, grid, bin: bin, group: group, shift: plan.layoutIndex(segment: segment),
                    gain: gains[segment], to: rows + place * SearchGrid.finePerGroup,
                    stride: fineCount, adds: segment > 0)
            }
        }
        var best = CellPeaks(powers: rows, fineCount: fineCount).cell(
            segmentCount: plan.segmentCount, lanePrior: Acquisition.lanePrior)
        best.fine += groups.lowerBound * SearchGrid.finePerGroup
        (best.position, best.bin) = (position, bin)
        let energy = clusterEnergy(values, bin, best.fine / SearchGrid.finePerGroup, position, gains)
        let reachable = best.isCoherent ? grid.clusterCount : grid.clusterCount / PilotPattern.groupCount
        let leastShare =
            plan.segmentCount == 1 ? Thresholds.dsss.clusterShare : Thresholds.dsss.repeatClusterShare
        if best.power < leastShare * energy * Float(reachable) || isLopsided(best, values, gains) {
            best.nats = 0
        } else {
            best.gate = gate
        }
        return best
    }

    /// What a cell's clusters say whatever their phases, if that is more.
    private func addGates(_ cells: inout [Cell]) {
        let shape = grid.clusterCount * burst.plan.segmentCount
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

    /// Whether one segment of a combination holds nearly all its power: some other frame's, met by one of four.
    private func isLopsided(_ cell: Cell, _ values: UnsafePointer<Complex>, _ gains: InlineArray<4, Float>)
        -> Bool
    {
        let plan = burst.plan
        guard plan.segmentCount > 1, cell.isCoherent else { return false }
        let group = cell.fine / SearchGrid.finePerGroup
        var greatest: Float = 0
        for segment in 0..<plan.segmentCount {
            let base = cell.position + burst.segmentOffset(bin: cell.bin, group: group, segment: segment)
            let pattern = PilotPattern.pattern(lane: cell.lane, segment: plan.layoutIndex(segment: segment))
            var powers = SIMD8<Float>.zero
            withUnsafePointer(to: base) {
                GroupSums.addPowers(
                    values, starts: UnsafeBufferPointer(start: $0, count: 1), grid, bin: cell.bin,
                    group: group, pattern: pattern, gain: gains[segment], to: &powers,
                    stride: 1)
            }
            greatest = max(greatest, powers[cell.fine % SearchGrid.finePerGroup])
        }
        return greatest > Acquisition.greatestSegmentShare(plan.segmentCount) * cell.power
    }

    /// Σ |c|² over the clusters of all segments.
    private func clusterEnergy(
        _ values: UnsafePointer<Complex>, _ bin: Int, _ group: Int, _ position: Int,
        _ gains: InlineArray<4, Float>
    )
        -> Float
    {
        var energy: Float = 0
        for segment in 0..<burst.plan.segmentCount {
            let base = position + burst.segmentOffset(bin: bin, group: group, segment: segment)
            let sum = grid.withGroup(bin: bin, group: group) { offsets, _ in
                Kernels.gatheredPower(values + base, offsets: offsets, grid.clusterCount)
            }
            energy += sum * gains[segment]
        }
        return energy
    }
}
