import Signal

/// The inner loops of demodulation over one segment: a two-sided exponential estimate from the known chips.
///
/// Forward and backward halves of each estimate are applied as they run, so that nothing is stored a tap.
struct KnownFrame {
    let values: UnsafePointer<Float>
    let weights: UnsafePointer<Float>
    /// Known energy in reach of each chip, its own left out.
    let energy: UnsafePointer<Float>
    let count: Int
    let decay: Float

    /// z = Re(h* y) / √(|h|² + E): the estimate's own noise is in the denominator.
    func detectSinglePath(
        _ re: UnsafePointer<Float>, _ im: UnsafePointer<Float>, into soft: UnsafeMutablePointer<Float>
    ) {
        withUnsafeTemporaryAllocation(of: Complex.self, capacity: count) { channel in
            var h = Complex.zero
            for i in 0..<count {
                channel[i] = h
                h = (h + Complex(re[i], im[i]) * (weights[i] * values[i])) * decay
            }
            h = .zero
            for i in (0..<count).reversed() {
                let total = channel[i] + h
                soft[i] =
                    (total.re * re[i] + total.im * im[i]) / (total.power + energy[i] + 1e-9).squareRoot()
                h = (h + Complex(re[i], im[i]) * (weights[i] * values[i])) * decay
            }
        }
    }

    /// Chips between new tap gains; E varies slowly.
    private static let gainInterval = 8
    private static let vectors = DelayProfile.tapCount / 8

    /// The sum over all taps. `re`, `im` point at tap 0 of chip 0; `loads` is p · e of each tap.
    func detectRAKE(
        _ re: UnsafePointer<Float>, _ im: UnsafePointer<Float>, loads: [Float],
        into soft: UnsafeMutablePointer<Float>
    ) {
        let vectors = KnownFrame.vectors
        let loads = (0..<vectors).map { v in SIMD8<Float>((0..<8).map { loads[8 * v + $0] }) }
        withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: 3 * vectors) { state in
            let hRe = state.baseAddress!
            let hIm = hRe + vectors
            let gains = hIm + vectors
            for isForward in [true, false] {
                hRe.initialize(repeating: .zero, count: 2 * vectors)
                for step in 0..<count {
                    let i = isForward ? step : count - 1 - step
                    if step % KnownFrame.gainInterval == 0 {
                        for v in 0..<vectors {
                            (gains + v).initialize(to: loads[v] / (1 + loads[v] * energy[i]))
                        }
                    }
                    soft[i] += KnownFrame.advance(
                        hRe, hIm, gains, re + i, im + i, known: weights[i] * values[i], decay)
                }
            }
        }
    }

    /// One chip: reads the estimate before it learns the chip itself.
    @inline(__always)
    private static func advance(
        _ hRe: UnsafeMutablePointer<SIMD8<Float>>, _ hIm: UnsafeMutablePointer<SIMD8<Float>>,
        _ gains: UnsafePointer<SIMD8<Float>>, _ re: UnsafePointer<Float>, _ im: UnsafePointer<Float>,
        known: Float,
        _ decay: Float
    ) -> Float {
        var sum = SIMD8<Float>(repeating: 0)
        for v in 0..<vectors {
            let yRe = UnsafeRawPointer(re + 8 * v).loadUnaligned(as: SIMD8<Float>.self)
            let yIm = UnsafeRawPointer(im + 8 * v).loadUnaligned(as: SIMD8<Float>.self)
            sum += gains[v] * (hRe[v] * yRe + hIm[v] * yIm)
            hRe[v] = (hRe[v] + yRe * known) * decay
            hIm[v] = (hIm[v] + yIm * known) * decay
        }
        return sum.sum()
    }
}
