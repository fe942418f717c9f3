import Glibc

/// A low pass in continuous time, sampled at evenly spaced fractions of an input sample, with a row of taps
/// for each.
///
/// Kaiser-windowed sinc, β = 9 (side lobes under −90 dB), cut off at half the lower of the two rates.
/// Reference: Oppenheim, Schafer, *Discrete-Time Signal Processing*, 3rd ed., 7.5.3.
struct ResamplerTaps: Sendable {
    /// The number of taps in one row; a multiple of eight.
    let tapCount: Int
    /// `[row][tapCount]`, tap k of row r is h(r / phaseCount + tapCount / 2 − 1 − k).
    private let rows: [Float]

    private static let narrowestTapCount = 64.0
    private static let beta = 9.0

    /// - Parameters:
    ///   - decimation: the input rate over the output rate, or 1 if that is less.
    ///   - phaseCount: the steps of one input sample; one more row, a whole sample on, serves interpolation.
    init(decimation: Double, phaseCount: Int) {
        let count = ResamplerTaps.tapCount(decimation: decimation)
        let half = Double(count / 2)
        let peak = ResamplerTaps.besselI0(ResamplerTaps.beta)
        var rows: [Float] = []
        rows.reserveCapacity((phaseCount + 1) * count)
        for row in 0...phaseCount {
            for k in 0..<count {
                let t = Double(row) / Double(phaseCount) + half - 1 - Double(k)
                let edge = max(0, 1 - (t / half) * (t / half))
                let window = ResamplerTaps.besselI0(ResamplerTaps.beta * edge.squareRoot()) / peak
                let x = Double.pi * t / decimation
                rows.append(Float((x == 0 ? 1 : sin(x) / x) / decimation * window))
            }
        }
        tapCount = count
        self.rows = rows
    }

    /// Returns the number of taps: more for a lower cutoff, so that the transition stays as steep in Hz of
    /// the output.
    static func tapCount(decimation: Double) -> Int {
        8 * Int((narrowestTapCount * decimation / 8).rounded(.up))
    }

    /// Returns Σ x[k] h[row][k] over `tapCount` samples.
    func filter(_ x: UnsafePointer<Float>, row: Int) -> Float {
        rows.withUnsafeBufferPointer { Kernels.dot(x, $0.baseAddress! + row * tapCount, tapCount) }
    }

    /// Returns the modified Bessel function of the first kind, order 0, by its power series.
    private static func besselI0(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        var k = 1.0
        while term > 1e-12 * sum {
            term *= (x / (2 * k)) * (x / (2 * k))
            sum += term
            k += 1
        }
        return sum
    }
}
