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

    /// The sum over all taps. `re`, `im` point at tap 0 of chip 0; `loads` is p · e of each tap.
    func detectRAKE(
        _ re: UnsafePointer<Float>, _ im: UnsafePointer<Float>, loads: [Float],
        into soft: UnsafeMutablePointer<Float>
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { known in
            for i in 0..<count { known[i] = weights[i] * values[i] }
            loads.withUnsafeBufferPointer { loads in
                for isBackward in [false, true] {
                    Kernels.rake(
                        re, im, known: known.baseAddress!, energy: energy, loads: loads, count,
                        isBackward: isBackward, decay: decay, into: soft)
                }
            }
        }
    }
}
