import Signal

/// A start and Doppler that passed the gate.
struct Cell: Sendable {
    var position: Int
    var bin: Int
    var fine: Int
    var lane: Int
    /// How surprising noise would find it.
    var nats: Float
    /// Nats that echoes add.
    var support: Float = 0
    /// Whether the whole segment's coherent sum was what surprised.
    var isCoherent: Bool
    /// The sum that surprised: |Σ clusters|², or over thirds, summed over segments.
    var power: Float = 0
}

/// The greatest sums over a cell's fine Dopplers: of each lane, and of the three thirds incoherently.
struct CellPeaks {
    /// Power at each fine Doppler. `[GroupSums.rowCount][fineCount]`
    let powers: UnsafePointer<Float>
    let fineCount: Int

    /// The most surprising of them.
    func cell(segmentCount: Int, lanePrior: Float) -> Cell {
        var best = Cell(position: 0, bin: 0, fine: 0, lane: 0, nats: 0, isCoherent: false)
        // Thirds of several segments gather too little each to tell a frame from parts of another.
        for index in 0..<(segmentCount == 1 ? GroupSums.rowCount : PilotPattern.laneCount) {
            let isCoherent = index < PilotPattern.laneCount
            let thirds = isCoherent ? 1 : PilotPattern.groupCount
            let row = powers + index * fineCount
            let power = Kernels.maximum(row, fineCount)
            let statistic = power * Float(thirds)
            guard statistic > best.nats else { continue }  // a tail is never rarer than one exponential's
            var nats = TailProbability.gammaNats(statistic, shape: thirds * segmentCount)
            if isCoherent && index > 0 { nats -= lanePrior }
            guard nats > best.nats else { continue }
            best.nats = nats
            best.fine = Kernels.indexOfMaximum(row, fineCount)
            if isCoherent { best.lane = index }  // the thirds alone do not tell lanes apart
            best.isCoherent = isCoherent
            best.power = power
        }
        return best
    }
}

extension SIMD8<Float> {
    var indexOfMaximum: Int {
        var place = 0
        for index in 1..<8 where self[index] > self[place] { place = index }
        return place
    }
}
