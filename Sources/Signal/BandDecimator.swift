import Glibc

/// A conversion of real samples at 48 kHz to complex baseband at 2400 Hz around 19.2 kHz. Streaming: chunks
/// of any size give the same output as one long chunk.
///
/// 19.2 kHz is 2/5 of the rate and a whole number of turns in 20 samples, so the carrier folds into the taps:
/// no oscillator, and after five-fold symmetry only real products.
///
///     y[m] = Σ_k h[k] x[20 m − 120 + k] e^{−j 2π 0.4 k},  k = 0 … 239
///
/// Shapes: in `[n]` → out `[≈ n / 20]`. Output m stands at input time `20 m − 0.5`. Samples that are
/// not finite, or beyond ``Kernels/saneMagnitudes``, count as silence.
package struct BandDecimator: Sendable {
    private static let factor = 20
    private static let inputRateHz = 48_000.0
    private static let tapCount = 240
    /// The number of input samples that an output may still wait for.
    package static let delaySamples = tapCount

    /// The taps `[240]`, and e^{−j 2π 0.4 k} for k = 0 … 39.
    private let taps: [Float]
    private let turnRe: [Float]
    private let turnIm: [Float]
    private var input = DecimatorInput(tapCount: tapCount, factor: factor)

    /// Returns true if this is the converter for a centre and a decimation.
    package static func serves(centreHz: Double, factor: Int) -> Bool {
        centreHz == 0.4 * inputRateHz && factor == BandDecimator.factor
    }

    /// - Parameter cutoffHz: half the width of the pass band.
    package init(cutoffHz: Double) {
        let lowPass = DecimatorInput.lowPass(
            tapCount: BandDecimator.tapCount, cutoff: cutoffHz / BandDecimator.inputRateHz)
        taps = lowPass.map { Float($0) }
        let angles = (0..<2 * BandDecimator.factor).map { -2 * Double.pi * 0.4 * Double($0) }
        turnRe = angles.map { Float(cos($0)) }
        turnIm = angles.map { Float(sin($0)) }
    }

    package mutating func process(_ input: UnsafeBufferPointer<Float>, into output: inout [Complex]) {
        let (taps, turnRe, turnIm) = (taps, turnRe, turnIm)
        self.input.take(input, into: &output) { samples, count, out in
            Kernels.decimate(samples, taps: taps, turnRe: turnRe, turnIm: turnIm, count, into: out)
        }
    }
}
