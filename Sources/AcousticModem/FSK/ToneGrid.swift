import Signal

/// The tones of a frame as they arrived: for each symbol window, and two after the last, every tone of its sub-band.
struct ToneGrid: Sendable {
    let symbolCount: Int
    let subBandCount: Int
    /// In units of the root of the mean noise energy. `[symbolCount + 2][allTones]`
    var values: [Complex]

    static let tailWindows = 2

    var allTones: Int { TonePlan.toneCount * subBandCount }

    /// The place of a window's tones of one sub-band.
    @inline(__always)
    func place(window: Int, subBand: Int) -> Int { window * allTones + subBand * TonePlan.toneCount }

    init(symbolCount: Int, subBandCount: Int) {
        (self.symbolCount, self.subBandCount) = (symbolCount, subBandCount)
        let count = (symbolCount + ToneGrid.tailWindows) * TonePlan.toneCount * subBandCount
        values = [Complex](repeating: .zero, count: count)
    }

    /// How much a grid is scaled down, at least 1: so that a typical strongest tone stands at `ceiling` at most, and so that
    /// what is between the tones is no louder than noise. Far over the noise, the frame's own echoes are the floor.
    func loudness(ceiling: Float) -> Float {
        let tones = TonePlan.toneCount
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: symbolCount * (tones + 1)) { scratch in
            let all = scratch.baseAddress!
            let strongest = all + symbolCount * tones
            for symbol in 0..<symbolCount {
                let place = place(window: symbol, subBand: symbol % subBandCount)
                let row = all + symbol * tones
                values.withUnsafeBufferPointer {
                    _ = Kernels.powers($0.baseAddress! + place, tones, into: row)
                }
                strongest[symbol] = Kernels.maximum(row, tones)
            }
            let typical = Selection.value(at: symbolCount / 2, of: strongest, symbolCount)
            let least = max(1, typical / ceiling)
            let place = symbolCount * tones * 4 / 5
            // Often that is no more.
            let below = Kernels.count(
                all, symbolCount * tones, by: 1, below: least * ToneGrid.noiseAtFourFifths)
            guard below <= place else { return least }
            let noise = Kernels.value(
                at: place, of: all, symbolCount * tones, least: least * ToneGrid.noiseAtFourFifths)
            return noise / ToneGrid.noiseAtFourFifths
        }
    }

    /// Four fifths of exponentially distributed energies of mean 1 are less: ln 5.
    static let noiseAtFourFifths: Float = 1.609

    mutating func scale(by gain: Float) { for i in values.indices { values[i] *= gain } }

    /// What each window has of one tone. `tones`: one a window, over all sub-bands; result of the same shape
    func energies(of tones: [Int]) -> [Float] {
        tones.enumerated().map { values[$0 * allTones + $1].power }
    }

    func energy(window: Int, subBand: Int, tone: Int) -> Float {
        values[place(window: window, subBand: subBand) + tone].power
    }
}
