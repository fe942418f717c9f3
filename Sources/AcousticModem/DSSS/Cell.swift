import Signal

/// A start and Doppler that passed the gate.
struct Cell: Sendable {
    var position: SamplePosition
    var bin: Int
    var fine: Int
    var lane: Int
    /// How surprising noise would find it.
    var nats: Float
    /// What its energy asks beyond the usual.
    var missingNats: Float = 0
    /// Nats that echoes add.
    var support: Float = 0
    /// Whether the whole segment's coherent sum was what surprised.
    var isCoherent: Bool
    /// The sum that surprised: |Σ clusters|², or over thirds, summed over segments.
    var power: Float = 0
    /// Σ |clusters|² that passed the gate, in units of the noise; 0 where one of several speaks against a frame.
    var gate: Float = 0

    /// What it is chosen by.
    var rank: Float { nats + support - missingNats }
}

/// The greatest sums over a cell's fine Dopplers: of each lane, and of the three thirds incoherently.
struct CellPeaks {
    /// Power at each fine Doppler. `[GroupSums.rowCount][fineCount]`
    let powers: UnsafePointer<Float>
    let fineCount: Int

    /// The most surprising of them.
    func cell(segmentCount: Int, lanePrior: Float) -> Cell {
        var best = Cell(position: 0, bin: 0, fine: 0, lane: 0, nats: 0, isCoherent: true)
        best.power = Kernels.maximum(powers, fineCount)
        best.nats = TailProbability.gammaNats(best.power, shape: segmentCount)
        // Of lanes that stand behind alike, only the most powerful matters.
        var (lane, power) = (0, best.power)
        for other in 1..<PilotPattern.laneCount {
            let greatest = Kernels.maximum(powers + other * fineCount, fineCount)
            if greatest > power { (lane, power) = (other, greatest) }
        }
        if lane > 0 {
            let nats = TailProbability.gammaNats(power, shape: segmentCount) - lanePrior
            if nats > best.nats { (best.lane, best.power, best.nats) = (lane, power, nats) }
        }
        if segmentCount == 1 { keepThirds(in: &best) }
        let row = best.isCoherent ? best.lane : PilotPattern.laneCount
        best.fine = Kernels.indexOfMaximum(powers + row * fineCount, fineCount)
        return best
    }

    /// Thirds of several segments gather too little each to tell a frame from parts of another.
    private func keepThirds(in best: inout Cell) {
        let thirds = PilotPattern.groupCount
        let power = Kernels.maximum(powers + PilotPattern.laneCount * fineCount, fineCount)
        let statistic = power * Float(thirds)
        guard statistic > best.nats else { return }  // a tail is never rarer than one exponential's
        let nats = TailProbability.gammaNats(statistic, shape: thirds)
        // The thirds alone do not tell lanes apart.
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
