import Glibc

/// Real samples → complex baseband around any carrier, decimated. Streaming: chunks of any size give the same output as
/// one long chunk.
///
///     y[m] = e^{−j 2π f D m} Σ_k h[k] e^{−j 2π f k} x[D m − taps / 2 + k]        f = carrier / rate
///
/// Shapes: in `[n]` → out `[≈ n / D]`. Output m stands at input time `D m − 0.5`. Samples that are not finite, or
/// beyond ±16 of full scale, count as silence. For 19.2 kHz there is ``BandDecimator``, which needs half the products.
public struct Downconverter: Sendable {
    private static let sanestMagnitude: Float = 16
    private static let tapCount = 128

    private let factor: Int
    private let tapsRe: [Float]
    private let tapsIm: [Float]
    /// The carrier at the next output, and its turn from one to the next. In double precision they stay on the circle to
    /// a part in 10⁸ for months.
    private var phase = (re: 1.0, im: 0.0)
    private let turn: (re: Double, im: Double)
    private var pending: [Float]

    /// - Parameters:
    ///   - cutoffHz: half width of the pass band.
    ///   - inputRateHz: of the samples; the output has `inputRateHz / factor`.
    public init(carrierHz: Double, cutoffHz: Double, factor: Int, inputRateHz: Double = 48_000) {
        self.factor = factor
        let carrier = carrierHz / inputRateHz
        let angle = -2 * Double.pi * carrier * Double(factor)
        turn = (cos(angle), sin(angle))
        let count = Downconverter.tapCount
        let lowPass = (0..<count).map { k -> Double in
            let t = Double(k) - Double(count - 1) / 2
            let x = 2 * Double.pi * (Double(k) + 0.5) / Double(count)
            let window = 0.355768 - 0.487396 * cos(x) + 0.144232 * cos(2 * x) - 0.012604 * cos(3 * x)
            return sin(2 * .pi * cutoffHz / inputRateHz * t) / (.pi * t) * window
        }
        let gain = lowPass.reduce(0, +)
        // Phase 0 at the output's own time, the middle of the taps.
        let angles = (0..<count).map { -2 * Double.pi * carrier * Double($0 - count / 2) }
        tapsRe = zip(lowPass, angles).map { Float($0 / gain * cos($1)) }
        tapsIm = zip(lowPass, angles).map { Float($0 / gain * sin($1)) }
        pending = [Float](repeating: 0, count: count / 2)
    }

    public mutating func process(_ input: UnsafeBufferPointer<Float>, into output: inout [Complex]) {
        guard let samples = input.baseAddress else { return }
        let first = pending.count
        pending.append(contentsOf: repeatElement(0, count: input.count))
        let count = max(0, (pending.count - Downconverter.tapCount) / factor + 1)
        let isEnough = pending.count >= Downconverter.tapCount
        pending.withUnsafeMutableBufferPointer { pending in
            Kernels.copySane(
                samples, input.count, limit: Downconverter.sanestMagnitude,
                into: pending.baseAddress! + first)
            guard isEnough else { return }
            let first = output.count
            output.append(contentsOf: repeatElement(.zero, count: count))
            output.withUnsafeMutableBufferPointer { output in
                let fresh = output.baseAddress! + first
                Kernels.downconvert(
                    pending.baseAddress!, by: factor, tapsRe: tapsRe, tapsIm: tapsIm, Downconverter.tapCount,
                    into: fresh, count)
                for m in 0..<count {
                    fresh[m] = fresh[m] * Complex(Float(phase.re), Float(phase.im))
                    phase = (
                        phase.re * turn.re - phase.im * turn.im, phase.re * turn.im + phase.im * turn.re
                    )
                }
            }
        }
        if isEnough { pending.removeFirst(count * factor) }
    }
}
