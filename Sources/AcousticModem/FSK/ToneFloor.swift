import Signal

/// Mean noise energy of each half-tone bin, from the median of the last seconds: tones that come and go do not count,
/// tones that stay do.
///
/// Across frequency the median of the neighbours is surer, and is taken unless the bin stands out.
struct ToneFloor: Sendable {
    /// Symbols that are remembered: about 8 s.
    private static let rowCount = 184
    private static let neighbours = 8
    /// The median of exponentially distributed energies, of their mean.
    private static let medianOfMean: Float = 0.6931
    private static let usual: ClosedRange<Float> = 0.4...1.6
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
        for bin in 0..<binCount {
            columns.withUnsafeBufferPointer {
                sorted.update(from: $0.baseAddress! + bin * ToneFloor.rowCount, count: count)
            }
            own[bin] = ToneFloor.median(sorted, count) / ToneFloor.medianOfMean
        }
        let least = ToneFloor.leastShare * totals[..<count].reduce(0, +) / Float(count * binCount)
        var smooth = own
        for bin in 0..<binCount {
            let first = max(0, bin - ToneFloor.neighbours)
            let last = min(binCount, bin + ToneFloor.neighbours + 1)
            own.withUnsafeBufferPointer {
                sorted.update(from: $0.baseAddress! + first, count: last - first)
            }
            let about = ToneFloor.median(sorted, last - first)
            let isUsual = about > 0 && ToneFloor.usual.contains(own[bin] / about)
            smooth[bin] = max(isUsual ? about : own[bin], least, 1e-30)
        }
        return smooth
    }

    /// The middle value; rearranges `x`. Hoare's selection.
    private static func median(_ x: UnsafeMutablePointer<Float>, _ count: Int) -> Float {
        var (low, high) = (0, count - 1)
        let middle = count / 2
        while low < high {
            let pivot = x[(low + high) / 2]
            var (i, j) = (low, high)
            while i <= j {
                while x[i] < pivot { i += 1 }
                while x[j] > pivot { j -= 1 }
                if i <= j {
                    swap(&x[i], &x[j])
                    i += 1
                    j -= 1
                }
            }
            if middle <= j { high = j } else if middle >= i { low = i } else { break }
        }
        return x[middle]
    }
}
