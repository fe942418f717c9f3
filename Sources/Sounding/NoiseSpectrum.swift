import Glibc
import Signal

/// The power of the recorded sound over frequency while nothing is played.
///
/// Welch's method: Hann windows of 40 ms, each half over the next. Reference: Welch, *The Use of Fast Fourier
/// Transform for the Estimation of Power Spectra*, IEEE Trans. Audio Electroacoust. 15(2), 1967.
struct NoiseSpectrum {
    private static let windowSeconds = 0.04

    /// The mean of |x|² for each bin of `count`, over that of white noise of variance 1.
    private let variances: [Double]
    private let count: Int
    private let sampleRateHz: Double

    /// - Precondition: `quiet` holds a window.
    init(_ quiet: ArraySlice<Float>, sampleRateHz: Double) {
        let count = Int(NoiseSpectrum.windowSeconds * sampleRateHz)
        precondition(quiet.count >= count, "a window of quiet")
        let fft = FFT(count: count)
        let window = (0..<count).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(count))) }
        let energy = window.reduce(0.0) { $0 + Double($1 * $1) }
        var sums = [Double](repeating: 0, count: count / 2 + 1)
        let starts = stride(from: quiet.startIndex, through: quiet.endIndex - count, by: count / 2)
        var pieceCount = 0.0
        for start in starts {
            var piece = (0..<count).map { Complex(window[$0] * quiet[start + $0]) }
            fft.forward(&piece)
            for bin in sums.indices { sums[bin] += Double(piece[bin].power) }
            pieceCount += 1
        }
        (self.count, self.sampleRateHz) = (count, sampleRateHz)
        variances = sums.map { $0 / energy / pieceCount }
    }

    /// Returns the variance of the white noise that is as loud within `bandHz`.
    func variance(_ bandHz: Range<Double>) -> Double {
        let binsPerHertz = Double(count) / sampleRateHz
        let first = Int((bandHz.lowerBound * binsPerHertz).rounded())
        let last = min(variances.count - 1, Int((bandHz.upperBound * binsPerHertz).rounded()) - 1)
        guard first <= last else { return 0 }
        return variances[first...last].reduce(0, +) / Double(last - first + 1)
    }

    /// Returns the mean power within `bandHz`.
    func power(_ bandHz: Range<Double>) -> Double {
        variance(bandHz) * 2 * (bandHz.upperBound - bandHz.lowerBound) / sampleRateHz
    }
}
