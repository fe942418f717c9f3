import Signal

/// A filter that removes the spectrum of sound far over the floor: another modem's frames are strongest in
/// the middle of the band, and would look like tones there all the time.
///
///     energies over the floor       of loud steps, under the step's gain      over the median of late
///       │   ▂▄▆█▆▄▂                   │   ▂▄▆█▆▄▂                               │▂▃▂▃▂▂▃▂▃▂▂
///       └────────────▶ bins           └────────────▶ bins                       └────────────▶ bins
///
/// A frame's own symbols use each tone only now and then, so they hardly raise the median of a bin.
struct LoudSpectrum: Sendable {
    /// A step is loud if its gain is less than `loudGain`; a block needs `leastSteps` such steps for a
    /// spectrum.
    private static let loudGain: Float = 0.5
    private static let leastSteps = 24
    /// The number of bins to either side over which medians are averaged.
    private static let reach = 4
    /// The median of exponentially distributed energies over their mean.
    private static let medianOfMean: Float = 0.693
    /// The factor by which a bin must exceed the others before it is lowered. Averaged medians of noise do
    /// not reach it.
    private static let leastRise: Float = 1.4

    private let binCount: Int
    /// A row of bins fills whole vectors.
    private let width: Int
    /// Loud steps, under their gains. `[steps][width]`
    private var rows: ScratchBuffer<Float>
    /// `[width]`
    private var medians: ScratchBuffer<Float>
    private var loudSteps: [Int] = []

    init(binCount: Int, steps: Int) {
        self.binCount = binCount
        width = (binCount + 15) & ~15
        rows = ScratchBuffer(count: steps * width, repeating: 0)
        medians = ScratchBuffer(count: width, repeating: 0)
        loudSteps.reserveCapacity(steps)
    }

    /// Brings down the bins of a block's loud steps that stand over the others.
    ///
    /// - Parameters:
    ///   - raw: energies of the block, `[steps][binCount]`.
    ///   - inverse: the factor of each bin to unit mean in noise. `[binCount]`
    ///   - gains: the gain of each step. `[steps]`
    ///   - columns: the same energies, changed in place. `[binCount][stride]`
    mutating func flatten(
        _ raw: UnsafePointer<Float>, _ inverse: [Float], gains: UnsafePointer<Float>, steps: Int,
        columns: UnsafeMutablePointer<Float>, stride: Int
    ) {
        loudSteps.removeAll(keepingCapacity: true)
        for step in 0..<steps where gains[step] < LoudSpectrum.loudGain { loudSteps.append(step) }
        guard loudSteps.count >= LoudSpectrum.leastSteps else { return }
        let rows = self.rows.claim()
        let medians = self.medians.claim()
        for (place, step) in loudSteps.enumerated() {
            let (row, from) = (rows + place * width, raw + step * binCount)
            for bin in 0..<binCount { row[bin] = from[bin] * gains[step] }
            (row + binCount).update(repeating: 0, count: width - binCount)
        }
        // The search for the medians begins at those of noise alone.
        for bin in 0..<binCount { medians[bin] = LoudSpectrum.medianOfMean / inverse[bin] }
        (medians + binCount).update(repeating: 0, count: width - binCount)
        Kernels.ranks(
            rows, rowCount: loudSteps.count, stride: width, columns: width, rank: loudSteps.count / 2,
            into: medians)
        for bin in 0..<binCount { medians[bin] *= inverse[bin] / LoudSpectrum.medianOfMean }
        for bin in 0..<binCount {
            let about = max(bin - LoudSpectrum.reach, 0)...min(bin + LoudSpectrum.reach, binCount - 1)
            let rise = about.reduce(Float(0)) { $0 + medians[$1] } / Float(about.count)
            guard rise > LoudSpectrum.leastRise else { continue }
            let column = columns + bin * stride
            for step in loudSteps { column[step] *= 1 / rise }
        }
    }
}
