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
    /// Blocks that one estimate serves.
    private static let mostUses = 4
    /// Of exponentially distributed energies a quarter is less than that, of their mean: ln 4/3.
    private static let quarterOfMean: Float = 0.2877
    private static let outstanding: Float = 1.6
    /// Mean of a steady bin over what its quietest quarter says, at most: 1 of noise, 0.3 of a tone, 10 and more of tones that
    /// come and go.
    private static let steady: Float = 4
    /// Of the mean energy of all bins and rows: a sound without noise still has the edges of its tones.
    private static let leastShare: Float = 2e-3

    private let binCount: Int
    /// Of a row: whole vectors.
    private let width: Int
    /// A ring in time. `[rowCount][width]`
    private var rows: [Float]
    /// Sums over the bins of each remembered row. `[rowCount]`
    private var totals: [Float]
    private var count = 0
    private var next = 0
    /// The last estimate, and how often it has been given.
    private var estimate: [Float] = []
    private var uses = 0
    /// Of the last estimate, where the next one begins to search: each bin's lower quartile, and the median of the neighbours'.
    /// `[width]`
    private var quartiles: [Float]
    private var medians: [Float]
    /// Neighbours of every bin: beyond the ends least and greatest in turn, which leave the median of those that are there.
    /// `[width + 2 · neighbours]`
    private var padded: [Float]

    init(binCount: Int) {
        self.binCount = binCount
        width = (binCount + 15) & ~15
        rows = [Float](repeating: 0, count: ToneFloor.rowCount * width)
        totals = [Float](repeating: 0, count: ToneFloor.rowCount)
        quartiles = [Float](repeating: 0, count: width)
        medians = quartiles
        padded = [Float](repeating: 0, count: width + 2 * ToneFloor.neighbours)
        for distance in stride(from: 1, through: ToneFloor.neighbours, by: 2) {
            padded[ToneFloor.neighbours - distance] = .greatestFiniteMagnitude
            padded[ToneFloor.neighbours + binCount + distance - 1] = .greatestFiniteMagnitude
        }
    }

    /// Digital silence is no noise, and left out.
    mutating func add(_ row: UnsafePointer<Float>) {
        let total = Kernels.sum(row, binCount)
        guard total > Kernels.leastPower else { return }
        totals[next] = total
        rows.withUnsafeMutableBufferPointer {
            ($0.baseAddress! + next * width).copy(from: row, count: binCount)
        }
        next = (next + 1) % ToneFloor.rowCount
        count = min(count + 1, ToneFloor.rowCount)
    }

    /// Shape: `[binCount]`, positive. Of a block of steps after the other: with seconds behind it, one estimate does for four.
    mutating func noise() -> [Float] {
        if count < ToneFloor.rowCount || estimate.isEmpty || uses == ToneFloor.mostUses {
            (estimate, uses) = (estimated(), 0)
        }
        uses += 1
        return estimate
    }

    private mutating func estimated() -> [Float] {
        guard count > 0 else { return [Float](repeating: 1, count: binCount) }
        rank(count / 4, of: rows, count, stride: width, &quartiles)
        for bin in 0..<binCount {
            padded[ToneFloor.neighbours + bin] = quartiles[bin] / ToneFloor.quarterOfMean
        }
        rank(ToneFloor.neighbours, of: padded, 2 * ToneFloor.neighbours + 1, stride: 1, &medians)
        let least = ToneFloor.leastShare * totals[..<count].reduce(0, +) / Float(count * binCount)
        let means = means()
        return (0..<binCount).map { bin in
            let (own, about) = (padded[ToneFloor.neighbours + bin], medians[bin])
            let isOutstanding = means[bin] <= ToneFloor.steady * own && own > ToneFloor.outstanding * about
            return max(isOutstanding ? own : about, least, Kernels.leastPower)
        }
    }

    /// What stands at `place` of each column of `rows`; `values` holds a guess.
    private func rank(_ place: Int, of rows: [Float], _ rowCount: Int, stride: Int, _ values: inout [Float]) {
        rows.withUnsafeBufferPointer { rows in
            values.withUnsafeMutableBufferPointer {
                Kernels.ranks(
                    rows.baseAddress!, rowCount: rowCount, stride: stride, columns: width, rank: place,
                    into: $0.baseAddress!)
            }
        }
    }

    /// Of each bin's remembered energies. `[width]`
    private func means() -> [Float] {
        var means = [Float](repeating: 0, count: width)
        let offsets = (0..<count).map { $0 * width }
        offsets.withUnsafeBufferPointer { Kernels.sumRows(rows, offsets: $0, width, into: &means) }
        return means.map { $0 / Float(count) }
    }
}
