import Glibc

/// A conversion of real samples to complex baseband around any carrier, decimated. Streaming: chunks of any
/// size give the same output as one long chunk.
///
///     y[m] = e^{−j 2π f D m} Σ_k h[k] e^{−j 2π f k} x[D m − taps / 2 + k]        f = carrier / rate
///
/// Shapes: in `[n]` → out `[≈ n / D]`. Output m stands at input time `D m − 0.5`. Samples that are not
/// finite, or beyond ``Kernels/saneMagnitudes``, count as silence. For 19.2 kHz there is ``BandDecimator``,
/// which needs half the products.
package struct Downconverter: Sendable {
    /// The least number of taps, and the taps for each of the samples that become one: narrower bands need
    /// more to separate them from their neighbours.
    private static let taps = (least: 128, perFactor: 12)
    /// The number of taps that kernels take at a time.
    private static let tapStep = 16

    private let tapCount: Int

    private let factor: Int
    private let tapsRe: [Float]
    private let tapsIm: [Float]
    /// The carrier at the first of every 64 outputs, its turn to each of them and to the next 64, and the
    /// count of outputs so far: no output waits for the one before. In double precision the values stay on
    /// the circle to a part in 10⁸ for months.
    private var phase = (re: 1.0, im: 0.0)
    private let turnsRe: [Double]
    private let turnsIm: [Double]
    private var place = 0
    private static let turnCount = 64
    private var input: DecimatorInput

    /// - Parameters:
    ///   - cutoffHz: half width of the pass band.
    ///   - inputRateHz: the rate of the samples; the output has `inputRateHz / factor`.
    package init(carrierHz: Double, cutoffHz: Double, factor: Int, inputRateHz: Double = 48_000) {
        self.factor = factor
        let wanted = max(Downconverter.taps.least, Downconverter.taps.perFactor * factor)
        let count = (wanted + Downconverter.tapStep - 1) / Downconverter.tapStep * Downconverter.tapStep
        tapCount = count
        let carrier = carrierHz / inputRateHz
        let angle = -2 * Double.pi * carrier * Double(factor)
        // Four more values serve the reads of the last vector.
        turnsRe = (0..<Downconverter.turnCount + 4).map { cos(angle * Double($0)) }
        turnsIm = (0..<Downconverter.turnCount + 4).map { sin(angle * Double($0)) }
        let lowPass = DecimatorInput.lowPass(tapCount: count, cutoff: cutoffHz / inputRateHz)
        // The phase is 0 at the output's own time, the middle of the taps.
        let angles = (0..<count).map { -2 * Double.pi * carrier * Double($0 - count / 2) }
        tapsRe = zip(lowPass, angles).map { Float($0 * cos($1)) }
        tapsIm = zip(lowPass, angles).map { Float($0 * sin($1)) }
        input = DecimatorInput(tapCount: count, factor: factor)
    }

    /// Returns the taps of a low-pass of the kind that decimation here takes; see ``DecimatorInput``.
    package static func lowPass(tapCount: Int, cutoff: Double) -> [Double] {
        DecimatorInput.lowPass(tapCount: tapCount, cutoff: cutoff)
    }

    /// The number of input samples that an output may still wait for.
    package var delaySamples: Int { tapCount }

    package mutating func process(_ input: UnsafeBufferPointer<Float>, into output: inout [Complex]) {
        let fresh = output.count
        let (factor, tapCount, tapsRe, tapsIm) = (factor, tapCount, tapsRe, tapsIm)
        self.input.take(input, into: &output) { samples, count, out in
            Kernels.downconvert(
                samples, by: factor, tapsRe: tapsRe, tapsIm: tapsIm, tapCount, into: out, count)
        }
        output.withUnsafeMutableBufferPointer { turn(UnsafeMutableBufferPointer(rebasing: $0[fresh...])) }
    }

    private mutating func turn(_ values: UnsafeMutableBufferPointer<Complex>) {
        var rest = values
        while let first = rest.baseAddress, !rest.isEmpty {
            let count = min(rest.count, Downconverter.turnCount - place)
            turnsRe.withUnsafeBufferPointer { re in
                turnsIm.withUnsafeBufferPointer { im in
                    Kernels.turn(
                        first, count, by: phase, turnsRe: re.baseAddress! + place,
                        turnsIm: im.baseAddress! + place)
                }
            }
            rest = UnsafeMutableBufferPointer(rebasing: rest[count...])
            place += count
            guard place == Downconverter.turnCount else { continue }
            let (re, im) = (turnsRe[place], turnsIm[place])
            phase = (phase.re * re - phase.im * im, phase.re * im + phase.im * re)
            place = 0
        }
    }
}
