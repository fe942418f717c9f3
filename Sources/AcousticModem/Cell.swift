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
    /// Power over the groups so far at each of eight fine Dopplers, and the group that had it.
    private struct Peak {
        var power = SIMD8<Float>(repeating: 0)
        var group = SIMD8<Int32>(repeating: 0)

        @inline(__always)
        mutating func raise(_ powers: SIMD8<Float>, _ index: Int32) {
            let isGreater = powers .> power
            power.replace(with: powers, where: isGreater)
            group.replace(with: SIMD8<Int32>(repeating: index), where: isGreater)
        }

        var greatest: (power: Float, fine: Int) {
            let place = power.indexOfMaximum
            return (power[place], Int(group[place]) * SearchGrid.finePerGroup + place)
        }
    }

    private var peaks = InlineArray<5, Peak>(repeating: Peak())

    /// - Parameter rows: `[GroupSums.rowCount]`
    @inline(__always)
    mutating func add(_ rows: UnsafePointer<SIMD8<Float>>, group: Int) {
        let index = Int32(truncatingIfNeeded: group)
        for row in 0..<GroupSums.rowCount { peaks[row].raise(rows[row], index) }
    }

    /// The most surprising of them.
    func cell(segmentCount: Int, lanePrior: Float) -> Cell {
        var best = Cell(position: 0, bin: 0, fine: 0, lane: 0, nats: 0, isCoherent: false)
        // Thirds of several segments gather too little each to tell a frame from parts of another.
        for index in 0..<(segmentCount == 1 ? 5 : 4) {
            let isCoherent = index < PilotPattern.laneCount
            let thirds = isCoherent ? 1 : PilotPattern.groupCount
            let (power, fine) = peaks[index].greatest
            let statistic = power * Float(thirds)
            guard statistic > best.nats else { continue }  // a tail is never rarer than one exponential's
            var nats = TailProbability.gammaNats(statistic, shape: thirds * segmentCount)
            if isCoherent && index > 0 { nats -= lanePrior }
            guard nats > best.nats else { continue }
            best.nats = nats
            best.fine = fine
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
