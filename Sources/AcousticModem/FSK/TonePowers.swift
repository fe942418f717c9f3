/// Energies of a grid's tones, over the mean noise.
struct TonePowers {
    private static let greatest: Float = 35
    /// What a symbol of a frame that is looked at has at least.
    private static let leastSymbolEnergy: Float = 3

    /// `[windows][64]`
    let values: [Float]
    /// Of a symbol, wherever it arrives.
    let symbolEnergy: Float

    init(_ grid: ToneGrid) {
        values = grid.values.map { min($0.power, TonePowers.greatest) }
        let frame = values[..<(grid.symbolCount * grid.allTones)]
        let mean = frame.reduce(0, +) / Float(frame.count)
        symbolEnergy = max(TonePowers.leastSymbolEnergy, (mean - 1) * Float(grid.allTones))
    }
}
