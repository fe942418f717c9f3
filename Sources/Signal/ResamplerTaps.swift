import Glibc

/// A low pass in continuous time, sampled at evenly spaced fractions of an input sample: one row of taps for each.
///
/// Kaiser-windowed sinc, β = 9 (side lobes under −90 dB), cut off at half the lower of the two rates.
/// Reference: Oppenheim, Schafer, *Discrete-Time Signal Processing*, 3rd ed., 7.5.3.
struct ResamplerTaps: Sendable {
    /// Of one row; a multiple of eight.
    let tapCount: Int
    /// `[row][tapCount]`, tap k of row r is h(r / phaseCount + tapCount / 2 − 1 − k).
    private let rows: [Float]

    private static let narrowestTapCount = 64.0
    private static let beta = 9.0

    /// - Parameters:
    ///   - decimation: input rate by output rate, or 1 if that is less.
    ///   - phaseCount: steps of one input sample; there is a row more, a whole sample on, to interpolate towards.
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

    /// The longer the lower the cutoff, so that the transition stays as steep in Hz of the output.
    static func tapCount(decimation: Double) -> Int {
        8 * Int((narrowestTapCount * decimation / 8).rounded(.up))
    }

    /// Σ x[k] h[row][k] over `tapCount` samples.
    func filter(_ x: UnsafePointer<Float>, row: Int) -> Float {
        rows.withUnsafeBufferPointer { Kernels.dot(x, $0.baseAddress! + row * tapCount, tapCount) }
    }

    /// Modified Bessel function of the first kind, order 0, by its power series.
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
