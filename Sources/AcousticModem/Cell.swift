/// A start and Doppler that passed the gate.
struct Cell: Sendable {
    var position: Int
    var bin: Int
    var fine: Int
    var lane: Int
    /// How surprising noise would find it.
    var nats: Float
    /// Whether the whole segment's coherent sum was what surprised.
    var isCoherent: Bool
    /// The sum that surprised: |Σ clusters|², or over thirds, summed over segments.
    var power: Float = 0
}

/// The greatest sums over a cell's fine Dopplers: of each lane, and of the three thirds incoherently.
struct CellPeaks {
    /// Power and fine Doppler, the four lanes and then the thirds.
    private var peaks = InlineArray<5, (power: Float, fine: Int)>(repeating: (0, 0))

    @inline(__always)
    mutating func add(
        _ lanes: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>, SIMD8<Float>), _ thirds: SIMD8<Float>,
        firstFine: Int
    ) {
        raise(0, lanes.0, firstFine)
        raise(1, lanes.1, firstFine)
        raise(2, lanes.2, firstFine)
        raise(3, lanes.3, firstFine)
        raise(4, thirds, firstFine)
    }

    @inline(__always)
    private mutating func raise(_ index: Int, _ powers: SIMD8<Float>, _ firstFine: Int) {
        let power = powers.max()
        if power > peaks[index].power { peaks[index] = (power, firstFine + powers.indexOfMaximum) }
    }

    /// The most surprising of them.
    func cell(segmentCount: Int, lanePrior: Float) -> Cell {
        var best = Cell(position: 0, bin: 0, fine: 0, lane: 0, nats: 0, isCoherent: false)
        // Thirds of several segments gather too little each to tell a frame from parts of another.
        for index in 0..<(segmentCount == 1 ? 5 : 4) {
            let isCoherent = index < PilotPattern.laneCount
            let thirds = isCoherent ? 1 : PilotPattern.groupCount
            var nats = TailProbability.gammaNats(
                peaks[index].power * Float(thirds), shape: thirds * segmentCount)
            if isCoherent && index > 0 { nats -= lanePrior }
            guard nats > best.nats else { continue }
            best.nats = nats
            best.fine = peaks[index].fine
            if isCoherent { best.lane = index }  // the thirds alone do not tell lanes apart
            best.isCoherent = isCoherent
            best.power = peaks[index].power
        }
        return best
    }
}

extension SIMD8<Float> {
    var indexOfMaximum: Int {
        let largest = self.max()
        return (0..<8).first { self[$0] == largest } ?? 0
    }
}
