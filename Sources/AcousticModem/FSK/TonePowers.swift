import Signal

/// The energies of the tones of a frame, or the sums over frames of one token: over the mean noise of one.
struct TonePowers {
    private static let greatest: Float = 35
    /// The least energy that a symbol of a candidate is taken to have.
    private static let leastSymbolEnergy: Float = 3

    /// `[windows][64]`
    let values: [Float]
    let frameCount: Float
    /// The energy of a symbol of one frame, added up over all places where it arrives.
    let symbolEnergy: Float

    /// - Parameter grids: grids of one shape, with one sub-band.
    init(_ grids: [ToneGrid]) {
        var values = [Float](repeating: 0, count: grids[0].values.count)
        for grid in grids {
            for place in values.indices {
                values[place] += min(grid.values[place].power, TonePowers.greatest)
            }
        }
        self.values = values
        frameCount = Float(grids.count)
        let inFrame = values[..<(grids[0].symbolCount * TonePlan.toneCount)]
        let mean = inFrame.reduce(0, +) / Float(inFrame.count) / frameCount
        symbolEnergy = max(TonePowers.leastSymbolEnergy, (mean - 1) * Float(TonePlan.toneCount))
    }
}
