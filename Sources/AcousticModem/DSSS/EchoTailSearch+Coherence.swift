import Signal

/// The second stage: coherent powers about the places at which products stand out.
extension EchoTailSearch {
    /// Returns the offset of a Doppler step, in bins from the bin's middle.
    static func shift(_ step: Int) -> Double { (Double(step) + 0.5) / Double(dopplers / 2) - 1 }

    /// Returns a look in the core bin that a Doppler step about `bin` falls into.
    func look(near bin: Int, _ step: UInt8, sum: Float, at position: SamplePosition) -> Look {
        let shift = EchoTailSearch.shift(Int(step))
        let core = grid.coreBins
        let shifted = min(max(bin + Int(shift.rounded()), core.lowerBound), core.upperBound - 1)
        let offsetHz = (Double(bin - shifted) + shift) * grid.binWidthHz
        return Look(bin: shifted, offsetHz: offsetHz, position: position, sum: sum)
    }

    /// Returns the groups of its bin that a look's Doppler may fall into: the one that the products show and
    /// the nearer one beside it. Of 103 tails that frames left in simulated rooms none stood farther than 1.4
    /// Hz from there, half a group.
    private func groups(of look: Look) -> Range<Int> {
        let place = (look.offsetHz / grid.binWidthHz + 0.5) * Double(grid.groupsPerBin)
        let first = min(max(Int((place - 1).rounded()), 0), max(grid.groupsPerBin - 2, 0))
        return first..<min(first + 2, grid.groupsPerBin)
    }

    /// Returns the greatest coherent tail about a look's start and Doppler, over lanes, if it stands out.
    mutating func coherentTail(
        _ field: ClusterField, _ others: OtherFields, _ look: Look, _ lanePrior: Float
    ) -> EchoTail? {
        let powers = self.powers.claim()
        let grid = grid
        let groups = groups(of: look)
        let fineCount = groups.count * SearchGrid.finePerGroup
        let rowCount = GroupSums.rowCount * fineCount
        func gains(_ position: SamplePosition) -> BurstPlan.Gains {
            burst.noiseGains(field, others, grid, bin: look.bin, group: groups.lowerBound, position)
        }
        var levels = gains(look.position)
        func start(_ delay: Int) -> SamplePosition {
            look.position
                + Int((Double(delay - EchoTailSearch.delaysBefore) * grid.samplesPerChip).rounded())
        }
        let hasSteps = others.haveSteps(
            field, from: start(0), span: start(EchoTailSearch.delayCount) - start(0) + grid.segmentSpanSamples
        )
        others.withBin(look.bin, field) { rows in
            for delay in 0..<EchoTailSearch.delayCount {
                if hasSteps, delay % EchoTailSearch.levelDelays == 0 {
                    levels = gains(start(delay + EchoTailSearch.levelDelays / 2))
                }
                for (place, group) in groups.enumerated() {
                    for channel in 0..<rows.count {
                        GroupSums.addPowers(
                            rows.values(channel, from: start(delay)), grid, bin: look.bin, group: group,
                            shift: 0, gain: levels[channel],
                            to: powers + delay * rowCount + place * SearchGrid.finePerGroup,
                            stride: fineCount, adds: channel > 0)
                    }
                }
            }
        }
        var best: EchoTail?
        // In noise the sum over channels has their number as its mean and as its variance.
        let count = Float(channelCount)
        let powerGain = EchoTailSearch.powerGain / count.squareRoot()
        for lane in 0..<PilotPattern.laneCount {
            let prior = lane > 0 ? EchoTailSearch.powerGain * lanePrior : 0
            let least = max(best?.sum ?? 0, Thresholds.dsss.tailSum) + prior
            if let peak = Kernels.tailPeak(
                powers + lane * fineCount, rows: EchoTailSearch.delayCount, stride: rowCount,
                width: fineCount, mean: count, decay: EchoTailSearch.powerDecay, gain: powerGain,
                over: least)
            {
                best = EchoTail(
                    bin: look.bin, fine: groups.lowerBound * SearchGrid.finePerGroup + peak.column,
                    lane: lane, position: start(peak.row), sum: peak.value - prior)
            }
        }
        return best
    }
}
