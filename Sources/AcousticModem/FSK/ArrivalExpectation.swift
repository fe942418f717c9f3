/// The expected energies of noise and all symbols of a frame, given which tones are likely.
struct ArrivalExpectation {
    /// `[windows][64]`
    private var levels: [Float]
    /// The energy that each symbol leaves. `[symbols][windows][64]`
    private var own: [Float]
    private static let symbolCells = ArrivalProfile.windows * TonePlan.toneCount

    init(_ profile: ArrivalProfile, _ likely: LikelyTones) {
        let tones = TonePlan.toneCount
        let cells = ArrivalExpectation.symbolCells
        levels = [Float](repeating: 1, count: (likely.symbolCount + ArrivalProfile.windows - 1) * tones)
        own = [Float](repeating: 0, count: likely.symbolCount * cells)
        var sums = ToneRows(ArrivalProfile.windows)
        for symbol in 0..<likely.symbolCount {
            sums.clear()
            likely.forEach(of: symbol) { tone, share in
                for place in profile.energies.indices {
                    sums.add(share * profile.energies[place], place, tone)
                }
            }
            for bin in 0..<cells {
                own[symbol * cells + bin] = sums[bin]
                levels[symbol * tones + bin] += sums[bin]
            }
        }
    }

    /// Returns the energy expected in a bin of a symbol's windows without that symbol's own. `bin`:
    /// `[windows][64]`
    @inline(__always)
    func others(_ symbol: Int, _ bin: Int) -> Float {
        levels[symbol * TonePlan.toneCount + bin] - own[symbol * ArrivalExpectation.symbolCells + bin]
    }
}
