import Signal

/// A start under a run of groups of one bin, with the data that its sums are made of.
struct CellPlace {
    let bin: Int
    let groups: Range<Int>
    let position: SamplePosition
    /// The bin's correlations, on each channel.
    let rows: ChannelRows
    /// The gains that bring the power of each look's sum to a mean of 1 in noise.
    let gains: BurstPlan.Gains
    /// Σ |clusters|², without regard to their phases.
    let gate: Float
}

/// Start → cell: sums clusters coherently over each look, at every fine Doppler and lane.
struct CellEvaluator: Sendable {
    private let grid: SearchGrid
    private let burst: BurstGrid
    /// The powers of a cell, `[GroupSums.rowCount][fineCount]`.
    private var rows: ScratchBuffer<Float>

    init(grid: SearchGrid, burst: BurstGrid) {
        (self.grid, self.burst) = (grid, burst)
        rows = ScratchBuffer(count: GroupSums.rowCount * grid.fineCount, repeating: 0)
    }

    /// Returns the cell with the best fine Doppler and lane at one start.
    mutating func cell(_ place: CellPlace) -> Cell {
        let plan = burst.plan
        let fineCount = place.groups.count * SearchGrid.finePerGroup
        let rows = rows.claim()
        for (row, group) in place.groups.enumerated() {
            for look in 0..<plan.lookCount {
                GroupSums.addPowers(
                    values(place, group, look), grid, bin: place.bin, group: group,
                    shift: plan.layoutIndex(segment: look % plan.segmentCount), gain: place.gains[look],
                    to: rows + row * SearchGrid.finePerGroup, stride: fineCount, adds: look > 0)
            }
        }
        var best = CellPeaks(powers: rows, fineCount: fineCount).cell(
            plan, lanePrior: Acquisition.lanePrior)
        best.fine += place.groups.lowerBound * SearchGrid.finePerGroup
        (best.position, best.bin) = (place.position, place.bin)
        let reachable = best.isCoherent ? grid.clusterCount : grid.clusterCount / PilotPattern.groupCount
        let leastShare =
            plan.lookCount == 1 ? Thresholds.dsss.clusterShare : Thresholds.dsss.repeatClusterShare
        let energy = clusterEnergy(place, best.fine / SearchGrid.finePerGroup)
        if best.power < leastShare * energy * Float(reachable) || isLopsided(best, place) {
            best.nats = 0
        } else {
            best.gate = place.gate
        }
        return best
    }

    /// Returns a look's correlations from its first cluster on.
    private func values(_ place: CellPlace, _ group: Int, _ look: Int) -> UnsafePointer<Complex> {
        let (channel, segment) = look.quotientAndRemainder(dividingBy: burst.plan.segmentCount)
        return place.rows.values(channel, from: place.position)
            + burst.segmentOffset(bin: place.bin, group: group, segment: segment)
    }

    /// Returns Σ |c|² over the clusters of all looks.
    private func clusterEnergy(_ place: CellPlace, _ group: Int) -> Float {
        var energy: Float = 0
        for look in 0..<burst.plan.lookCount {
            let sum = grid.withGroup(bin: place.bin, group: group) { offsets, _ in
                Kernels.gatheredPower(
                    values(place, group, look), offsets: offsets, grid.clusterCount)
            }
            energy += sum * place.gains[look]
        }
        return energy
    }

    /// Returns true if one segment of a combination holds nearly all its power. That power is another
    /// frame's, which one of the segments met by chance. A channel may hold nearly all of it: the others'
    /// microphones may be covered.
    private func isLopsided(_ cell: Cell, _ place: CellPlace) -> Bool {
        let plan = burst.plan
        guard plan.segmentCount > 1, cell.isCoherent else { return false }
        let group = cell.fine / SearchGrid.finePerGroup
        var greatest: Float = 0
        for segment in 0..<plan.segmentCount {
            let pattern = PilotPattern.pattern(lane: cell.lane, segment: plan.layoutIndex(segment: segment))
            var powers = SIMD8<Float>.zero
            for look in stride(from: segment, to: plan.lookCount, by: plan.segmentCount) {
                withUnsafePointer(to: 0) {
                    GroupSums.addPowers(
                        values(place, group, look), starts: UnsafeBufferPointer(start: $0, count: 1), grid,
                        bin: cell.bin, group: group, pattern: pattern, gain: place.gains[look], to: &powers,
                        stride: 1)
                }
            }
            greatest = max(greatest, powers[cell.fine % SearchGrid.finePerGroup])
        }
        return greatest > CellEvaluator.greatestSegmentShare(plan.segmentCount) * cell.power
    }

    /// Returns the greatest share of a combination's power that one of its segments may hold.
    private static func greatestSegmentShare(_ segmentCount: Int) -> Float {
        switch segmentCount {
        case 2: Thresholds.dsss.pairSegmentShare
        case 3: Thresholds.dsss.tripleSegmentShare
        case 4: Thresholds.dsss.quadrupleSegmentShare
        default: 1
        }
    }
}
