import Signal

/// The inner loops of demodulation over one segment: a two-sided exponential estimate from the known chips.
///
/// The forward and backward halves of each estimate are applied as they run, so that no value is stored for
/// each tap.
struct KnownFrame {
    let values: UnsafePointer<Float>
    let weights: UnsafePointer<Float>
    /// The known energy in reach of each chip, its own left out.
    let energy: UnsafePointer<Float>
    let count: Int
    let decay: Float

    /// Computes z = Re(h* y) / √(|h|² + E): the estimate's own noise is in the denominator.
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

    /// Computes the sum over all taps. `re` and `im` point at tap 0 of chip 0.
    ///
    /// Echoes of known chips are noise to all other chips. The expected echoes are subtracted from `re` and
    /// `im` first, and each chip gets its own back when it is read.
    func detectRAKE(
        _ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>, _ taps: TapLoads.Reading,
        into soft: UnsafeMutablePointer<Float>
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { known in
            for i in 0..<count { known[i] = weights[i] * values[i] }
            KnownFrame.withFloats(taps.loads) { loads in
                KnownFrame.withFloats(taps.echoRe) { echoRe in
                    KnownFrame.withFloats(taps.echoIm) { echoIm in
                        Kernels.takeOut(
                            known: known.baseAddress!, count, takenRe: echoRe, takenIm: echoIm,
                            tapCount: TapLoads.tapCount, from: re, im)
                        for isBackward in [false, true] {
                            Kernels.rake(
                                re, im, known: known.baseAddress!, energy: energy, loads: loads,
                                takenRe: echoRe, takenIm: echoIm, tapCount: TapLoads.tapCount, count,
                                isBackward: isBackward, decay: decay, into: soft)
                        }
                    }
                }
            }
        }
    }

    private static func withFloats(_ taps: TapLoads.Taps, _ body: (UnsafePointer<Float>) -> Void) {
        withUnsafePointer(to: taps) {
            $0.withMemoryRebound(to: Float.self, capacity: TapLoads.tapCount) { body($0) }
        }
    }
}
