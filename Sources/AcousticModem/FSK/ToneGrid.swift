import Signal

/// The tones of a frame as received: for each symbol window, and two after the last, every tone of its
/// sub-band.
struct ToneGrid: Sendable {
    let symbolCount: Int
    let subBandCount: Int
    /// The values in units of the root of the mean noise energy. `[symbolCount + 2][allTones]`
    var values: [Complex]

    static let tailWindows = 2

    var allTones: Int { TonePlan.toneCount * subBandCount }

    /// Returns the place of a window's tones of one sub-band.
    @inline(__always)
    func place(window: Int, subBand: Int) -> Int { window * allTones + subBand * TonePlan.toneCount }

    init(symbolCount: Int, subBandCount: Int) {
        (self.symbolCount, self.subBandCount) = (symbolCount, subBandCount)
        let count = (symbolCount + ToneGrid.tailWindows) * TonePlan.toneCount * subBandCount
        values = [Complex](repeating: .zero, count: count)
    }

    /// Returns the factor by which a grid must be scaled down, at least 1: it keeps a typical strongest tone
    /// under `ceiling`, and the sound between the tones no louder than noise. Far over the noise, the frame's
    /// own echoes are the floor.
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
            // Often the floor is no higher than that.
            let below = Kernels.count(
                all, symbolCount * tones, by: 1, below: least * ToneGrid.noiseAtFourFifths)
            guard below <= place else { return least }
            let noise = Kernels.value(
                at: place, of: all, symbolCount * tones, least: least * ToneGrid.noiseAtFourFifths)
            return noise / ToneGrid.noiseAtFourFifths
        }
    }

    /// The bound that four fifths of exponentially distributed energies of mean 1 stay under: ln 5.
    static let noiseAtFourFifths: Float = 1.609

    mutating func scale(by gain: Float) { for i in values.indices { values[i] *= gain } }

    /// Returns the energy of one tone in each window. `tones`: one a window, counted over all sub-bands; the
    /// result has the same shape.
    func energies(of tones: [Int]) -> [Float] {
        tones.enumerated().map { values[$0 * allTones + $1].power }
    }

    func energy(window: Int, subBand: Int, tone: Int) -> Float {
        values[place(window: window, subBand: subBand) + tone].power
    }
}
