import Signal

/// Energies of the tones of a frame, or of frames of one token added up: over the mean noise of one.
struct TonePowers {
    private static let greatest: Float = 35
    /// What a symbol of a frame that is looked at has at least.
    private static let leastSymbolEnergy: Float = 3

    /// `[windows][64]`
    let values: [Float]
    let frameCount: Float
    /// Of a symbol of one frame, wherever it arrives.
    let symbolEnergy: Float

    /// - Parameter grids: of one shape, with one sub-band.
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
