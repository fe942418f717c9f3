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
    private let gateThreshold: Float

    /// Upper 2 % of noise pass the gate; opening it further finds no more frames.
    private static let gateQuantile: Float = 2.054
    /// Nats a cell needs to be refined.
    private static let cellThreshold: Float = 13
    /// A lane other than 0 starts this many nats behind: it is used less, and must not cost lane 0 anything.
    private static let lanePrior: Float = 2
    /// Cells refined in one search, best first.
    private static let refinedCells = 12
    /// A sum of gates over an echo tail that earns a search in every bin, and how many are tried.
    private static let tailThreshold: Float = 30
    private static let tailSearches = 2

    init(plan: BurstPlan, grid: SearchGrid) {
        self.grid = grid
        burst = BurstGrid(plan: plan, grid: grid)
        refiner = CandidateRefiner(grid: grid, burst: burst)
        gateThreshold = TailProbability.gammaQuantile(
            normal: Acquisition.gateQuantile, shape: grid.clusterCount * plan.segmentCount)
    }

    /// How far beyond the last start the field must reach.
    var lookahead: Int { burst.spanSamples + grid.segmentSpanSamples + refiner.reachAfter + 2 }
    /// How far before the first start.
    var lookbehind: Int { refiner.reachBefore + 2 }

    /// Candidates whose first cluster stands near `starts`, best first. The field must hold `lookbehind` before and
    /// `lookahead` after the range.
    mutating func search(_ field: ClusterField, starts: Range<Int>, statistics: inout ReceiverStatistics)
        -> [Candidate]
    {
        var cells: [Cell] = []
        for bin in 0..<grid.binCount {
            for run in burst.runs[bin] { scan(field, bin, run, starts, &cells) }
        }
        statistics.gatedCells += cells.count
        cells.removeAll { $0.nats < Acquisition.cellThreshold }
        cells.sort { ($0.nats, $1.position) > ($1.nats, $0.position) }
        let tails = burst.plan.segmentCount == 1 ? echoTails(field, starts) : []
        statistics.refinedCells += min(cells.count, Acquisition.refinedCells) + tails.count * grid.binCount
        return refiner.refine(field, cells: cells.prefix(Acquisition.refinedCells), tails: tails)
    }

    /// Gates one bin and one run of groups, and evaluates the local maxima that pass.
    private func scan(
        _ field: ClusterField, _ bin: Int, _ groups: Range<Int>, _ starts: Range<Int>, _ cells: inout [Cell]
    ) {
        let count = burst.plan.segmentCount
        let offsets = (0..<count).map { burst.segmentOffset(bin: bin, group: groups.lowerBound, segment: $0) }
        field.withBin(bin) { values, gates in
            func gate(_ position: Int) -> Float {
                var sum = gates[position]
                for segment in 1..<max(count, 1) where segment < count {
                    sum += gates[position + offsets[segment]]
                }
                return sum
            }
            var before = gate(starts.lowerBound - 1)
            var here = gate(starts.lowerBound)
            for position in starts {
                let after = gate(position + 1)
                if here > gateThreshold && here >= before && here > after {
                    cells.append(cell(field, bin, groups, position, gate: here, values))
                }
                before = here
                here = after
            }
        }
    }

    /// The best fine Doppler and lane at one start: clusters summed coherently over each segment.
    private func cell(
        _ field: ClusterField, _ bin: Int, _ groups: Range<Int>, _ position: Int, gate: Float,
        _ values: UnsafePointer<Complex>
    ) -> Cell {
        let plan = burst.plan
        let level = field.level(bin: bin, from: position, span: grid.segmentSpanSamples)
        let scale = level > 0 ? 1 / (level * Float(grid.clusterCount)) : 0
        var peaks = CellPeaks()
        for group in groups {
            var lanes = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
            var thirds = SIMD8<Float>()
            for segment in 0..<plan.segmentCount {
                let base = position + burst.segmentOffset(bin: bin, group: group, segment: segment)
                let sums = GroupSums(values + base, grid, bin, group)
                let shift = plan.layoutIndex(segment: segment)
                thirds += sums.incoherent
                lanes.0 += sums.power(pattern: PilotPattern.pattern(lane: 0, segment: shift))
                lanes.1 += sums.power(pattern: PilotPattern.pattern(lane: 1, segment: shift))
                lanes.2 += sums.power(pattern: PilotPattern.pattern(lane: 2, segment: shift))
                lanes.3 += sums.power(pattern: PilotPattern.pattern(lane: 3, segment: shift))
            }
            peaks.add(lanes, thirds, firstFine: group * SearchGrid.finePerGroup)
        }
        var best = peaks.cell(segmentCount: plan.segmentCount, scale: scale, lanePrior: Acquisition.lanePrior)
        (best.position, best.bin) = (position, bin)
        best.nats = max(
            best.nats, TailProbability.wideGammaNats(gate, shape: grid.clusterCount * plan.segmentCount))
        return best
    }

    /// Starts at which the gates of many successive delays are raised: diffuse energy, whose every single path may be
    /// under the gate.
    private func echoTails(_ field: ClusterField, _ starts: Range<Int>) -> [Int] {
        let decay: Float = 0.978
        let mean = Float(grid.clusterCount)
        let tailEnd = min(starts.upperBound + 100, field.gateEnd - 1)
        var best: [(position: Int, sum: Float)] = []
        for bin in 0..<grid.binCount {
            field.withBin(bin) { _, gates in
                var tail: Float = 0
                var later: Float = 0
                var here: Float = 0
                for position in stride(from: tailEnd, through: starts.lowerBound - 1, by: -1) {
                    let excess = gates[position] - mean
                    tail = decay * tail + 0.2 * excess
                    let earlier = tail + 0.5 * excess
                    if here > Acquisition.tailThreshold && here > later && here >= earlier
                        && starts.contains(position + 1)
                    {
                        best.append((position + 1, here))
                    }
                    (later, here) = (here, earlier)
                }
            }
        }
        best.sort { $0.sum > $1.sum }
        var chosen: [Int] = []
        for tail in best where chosen.count < Acquisition.tailSearches {
            if chosen.allSatisfy({ abs($0 - tail.position) > 120 }) { chosen.append(tail.position) }
        }
        return chosen
    }
}
