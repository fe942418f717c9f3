import Signal

/// Mean noise energy of each half-tone bin, from the quietest quarter of the last seconds: tones that come and go do not
/// count, tones that stay do.
///
/// Across frequency the median of the neighbours is surer, and is taken unless the bin stands out of them and is steady. What
/// is less than its neighbours is only where no tone happened to be, in a sound without noise; what is more, but comes and
/// goes, is the tail of a token's own tones where a room rings from one frame to the next. A floor of that shape would take the
/// tones that are sent for faint, and what leaks into others for tones.
struct ToneFloor: Sendable {
    /// Symbols that are remembered: about 8 s.
    private static let rowCount = 184
    private static let neighbours = 64
    /// Of exponentially distributed energies a quarter is less than that, of their mean: ln 4/3.
    private static let quarterOfMean: Float = 0.2877
    private static let outstanding: Float = 1.6
    /// Mean of a steady bin over what its quietest quarter says, at most: 1 of noise, 0.3 of a tone, 10 and more of tones that
    /// come and go.
    private static let steady: Float = 4
    /// Of the mean energy of all bins and rows: a sound without noise still has the edges of its tones.
    private static let leastShare: Float = 2e-3

    private let binCount: Int
    /// `[binCount][rowCount]`, a ring in time.
    private var columns: [Float]
    /// Sums over the bins of each remembered row. `[rowCount]`
    private var totals: [Float]
    private var count = 0
    private var next = 0
    private var sorted: ScratchBuffer<Float>

    init(binCount: Int) {
        self.binCount = binCount
        columns = [Float](repeating: 0, count: binCount * ToneFloor.rowCount)
        totals = [Float](repeating: 0, count: ToneFloor.rowCount)
        sorted = ScratchBuffer(count: ToneFloor.rowCount, repeating: 0)
    }

    /// Digital silence is no noise, and left out.
    mutating func add(_ row: UnsafePointer<Float>) {
        let total = Kernels.sum(row, binCount)
        guard total > 0 else { return }
        totals[next] = total
        for bin in 0..<binCount { columns[bin * ToneFloor.rowCount + next] = row[bin] }
        next = (next + 1) % ToneFloor.rowCount
        count = min(count + 1, ToneFloor.rowCount)
    }

    /// Shape: `[binCount]`, positive.
    mutating func noise() -> [Float] {
        guard count > 0 else { return [Float](repeating: 1, count: binCount) }
        let sorted = self.sorted.claim()
        var own = [Float](repeating: 0, count: binCount)
        var isSteady = [Bool](repeating: true, count: binCount)
        for bin in 0..<binCount {
            columns.withUnsafeBufferPointer {
                sorted.update(from: $0.baseAddress! + bin * ToneFloor.rowCount, count: count)
            }
            let mean = Kernels.sum(sorted, count) / Float(count)
            own[bin] = Selection.value(at: count / 4, of: sorted, count) / ToneFloor.quarterOfMean
            isSteady[bin] = mean <= ToneFloor.steady * own[bin]
        }
        let least = ToneFloor.leastShare * totals[..<count].reduce(0, +) / Float(count * binCount)
        var smooth = own
        for bin in 0..<binCount {
            let first = max(0, bin - ToneFloor.neighbours)
            let last = min(binCount, bin + ToneFloor.neighbours + 1)
            own.withUnsafeBufferPointer {
                sorted.update(from: $0.baseAddress! + first, count: last - first)
            }
            let about = Selection.value(at: (last - first) / 2, of: sorted, last - first)
            let isOutstanding = isSteady[bin] && own[bin] > ToneFloor.outstanding * about
            smooth[bin] = max(isOutstanding ? own[bin] : about, least, 1e-30)
        }
        return smooth
    }
}
