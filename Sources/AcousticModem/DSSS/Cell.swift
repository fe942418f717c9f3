import Signal

/// A start and a Doppler that passed the gate.
struct Cell: Sendable {
    var position: SamplePosition
    var bin: Int
    var fine: Int
    var lane: Int
    /// The improbability of the cell in noise, in nats; see ``TailProbability``.
    var nats: Float
    /// The nats beyond the usual that the cell needs because of its energy.
    var missingNats: Float = 0
    /// The nats that echoes add.
    var support: Float = 0
    /// True if the coherent sum of the whole segment is the most improbable sum, false if the sum of thirds
    /// is.
    var isCoherent: Bool
    /// The most improbable sum: |Σ clusters|², or the same over thirds, summed over looks.
    var power: Float = 0
    /// Σ |clusters|² that passed the gate, in units of the noise. It is 0 if the coherent sum holds too small
    /// a share of that energy, or one segment nearly all of the power: both speak against a frame.
    var gate: Float = 0

    /// The nats by which cells are chosen.
    var rank: Float { nats + support - missingNats }
}

/// The sums over a cell's clusters at its fine Dopplers: of each lane, and of the three thirds incoherently.
struct CellPeaks {
    /// The power at each fine Doppler. `[GroupSums.rowCount][fineCount]`
    let powers: UnsafePointer<Float>
    let fineCount: Int

    /// Returns the cell of the most improbable sum.
    func cell(_ plan: BurstPlan, lanePrior: Float) -> Cell {
        var best = Cell(position: 0, bin: 0, fine: 0, lane: 0, nats: 0, isCoherent: true)
        best.power = Kernels.maximum(powers, fineCount)
        best.nats = TailProbability.gammaNats(best.power, shape: plan.lookCount)
        // All other lanes stand behind by the same nats, so only the most powerful one matters.
        var (lane, power) = (0, best.power)
        for other in 1..<PilotPattern.laneCount {
            let greatest = Kernels.maximum(powers + other * fineCount, fineCount)
            if greatest > power { (lane, power) = (other, greatest) }
        }
        if lane > 0 {
            let nats = TailProbability.gammaNats(power, shape: plan.lookCount) - lanePrior
            if nats > best.nats { (best.lane, best.power, best.nats) = (lane, power, nats) }
        }
        if plan.segmentCount == 1 { keepThirds(in: &best, channelCount: plan.channelCount) }
        let row = best.isCoherent ? best.lane : PilotPattern.laneCount
        best.fine = Kernels.indexOfMaximum(powers + row * fineCount, fineCount)
        return best
    }

    /// Replaces the cell by that of the thirds, if these are more improbable. Thirds of several segments
    /// gather too little each to distinguish a frame from parts of another.
    private func keepThirds(in best: inout Cell, channelCount: Int) {
        let thirds = PilotPattern.groupCount
        let power = Kernels.maximum(powers + PilotPattern.laneCount * fineCount, fineCount)
        let statistic = power * Float(thirds)
        guard statistic > best.nats else { return }  // a tail is never rarer than one exponential's
        let nats = TailProbability.gammaNats(statistic, shape: channelCount * thirds)
        // The thirds alone do not distinguish lanes.
        if nats > best.nats { (best.isCoherent, best.power, best.nats) = (false, power, nats) }
    }
}

extension SIMD8<Float> {
    var indexOfMaximum: Int {
        var place = 0
        for index in 1..<8 where self[index] > self[place] { place = index }
        return place
    }
}
