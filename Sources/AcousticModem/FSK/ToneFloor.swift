import Signal

/// The mean noise energy of each half-tone bin, from the quietest quarter of the last seconds: tones that
/// come and go do not count, tones that stay do.
///
/// Across frequency the median of the neighbours is more accurate, and replaces the bin's own value unless
/// the bin stands out from it and is steady. In a sound without noise, a bin is below its neighbours only
/// where no tone happened to be. A bin that is above them, but comes and goes, is the tail of a token's own
/// tones where a room rings from one frame to the next. A floor of that shape would take the tones that are
/// sent for faint, and leakage into other bins for tones.
struct ToneFloor: Sendable {
    /// The number of symbols that are remembered: about 8 s.
    private static let rowCount = 184
    private static let neighbours = 64
    /// The number of blocks that one estimate serves.
    private static let mostUses = 4
    /// The lower quartile of exponentially distributed energies over their mean: ln 4/3.
    private static let quarterOfMean: Float = 0.2877
    private static let outstanding: Float = 1.6
    /// The greatest ratio of a steady bin's mean to the level of its quietest quarter: 1 for noise, 0.3 for a
    /// tone, 10 and more for tones that come and go.
    private static let steady: Float = 4
    /// The least share of the mean energy of all bins and rows: a sound without noise still has the edges of
    /// its tones.
    private static let leastShare: Float = 2e-3

    private let binCount: Int
    /// The width of a row: whole vectors.
    private let width: Int
    /// The remembered rows, a ring in time. `[rowCount][width]`
    private var rows: [Float]
    /// Sums over the bins of each remembered row. `[rowCount]`
    private var totals: [Float]
    private var count = 0
    private var next = 0
    /// The last estimate, and the number of times it was returned.
    private var estimate: [Float] = []
    private var uses = 0
    /// The values of the last estimate, from which the next one begins to search: each bin's lower quartile,
    /// and the median of the neighbours'. `[width]`
    private var quartiles: [Float]
    private var medians: [Float]
    /// The neighbours of every bin. Beyond the ends, least and greatest values alternate, which leave the
    /// median unchanged. `[width + 2 · neighbours]`
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

    /// Adds a row. Digital silence is no noise, and is left out.
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

    /// Returns the noise, positive, for one block of steps after the other: once seconds are remembered, one
    /// estimate serves four blocks. Shape: `[binCount]`.
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

    /// Finds the value at rank `place` of each column of `rows`; `values` holds a guess on entry.
    private func rank(_ place: Int, of rows: [Float], _ rowCount: Int, stride: Int, _ values: inout [Float]) {
        rows.withUnsafeBufferPointer { rows in
            values.withUnsafeMutableBufferPointer {
                Kernels.ranks(
                    rows.baseAddress!, rowCount: rowCount, stride: stride, columns: width, rank: place,
                    into: $0.baseAddress!)
            }
        }
    }

    /// Returns the mean of each bin's remembered energies. `[width]`
    private func means() -> [Float] {
        var means = [Float](repeating: 0, count: width)
        let offsets = (0..<count).map { $0 * width }
        offsets.withUnsafeBufferPointer { Kernels.sumRows(rows, offsets: $0, width, into: &means) }
        return means.map { $0 / Float(count) }
    }
}
