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

    /// How much a grid is scaled down so that a typical strongest tone stands at `ceiling` over the floor, at least 1: far
    /// over the noise, the frame's own echoes are the floor.
    func loudness(ceiling: Float) -> Float {
        let strongest = (0..<symbolCount).map { symbol in
            let place = place(window: symbol, subBand: symbol % subBandCount)
            return values[place..<place + TonePlan.toneCount].reduce(0) { max($0, $1.power) }
        }
        return max(1, strongest.sorted()[symbolCount / 2] / ceiling)
    }

    mutating func scale(by gain: Float) { for i in values.indices { values[i] *= gain } }

    func energy(window: Int, subBand: Int, tone: Int) -> Float {
        values[place(window: window, subBand: subBand) + tone].power
    }
}
