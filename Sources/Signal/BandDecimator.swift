import Glibc

/// Real samples at 48 kHz → complex baseband at 2400 Hz around 19.2 kHz. Streaming: chunks of any size give the
/// same output as one long chunk.
///
/// 19.2 kHz is 2/5 of the rate and a whole number of turns in 20 samples, so the carrier folds into the taps: no
/// oscillator, and after five-fold symmetry only real products.
///
///     y[m] = Σ_k h[k] x[20 m − 120 + k] e^{−j 2π 0.4 k},  k = 0 … 239
///
/// Shapes: in `[n]` → out `[≈ n / 20]`. Output m stands at input time `20 m + timeOffsetSamples`. Samples that are
/// not finite, or beyond ±16 of full scale, count as silence.
public struct BandDecimator: Sendable {
    public static let factor = 20
    public static let inputRateHz = 48_000.0
    public static let outputRateHz = 2400.0
    /// The centre of an even number of taps.
    public static let timeOffsetSamples = -0.5

    private static let tapCount = 240
    /// Input that an output may still wait for.
    public static let delaySamples = tapCount
    private static let sanestMagnitude: Float = 16

    /// `[240]`, and e^{−j 2π 0.4 k} for k = 0 … 39.
    private let taps: [Float]
    private let turnRe: [Float]
    private let turnIm: [Float]
    /// Input not yet used up, at its front; the rest is room for more. `[roomCount]`
    private var pending: [Float]
    private var pendingCount = tapCount / 2
    private static let roomCount = 4096

    /// - Parameter cutoffHz: half width of the pass band.
    public init(cutoffHz: Double = 1180) {
        taps = BandDecimator.lowPass(cutoffHz: cutoffHz).map { Float($0) }
        let angles = (0..<2 * BandDecimator.factor).map { -2 * Double.pi * 0.4 * Double($0) }
        turnRe = angles.map { Float(cos($0)) }
        turnIm = angles.map { Float(sin($0)) }
        pending = [Float](repeating: 0, count: BandDecimator.roomCount)
    }

    /// Windowed sinc (four-term Nuttall: side lobes under −93 dB), unit gain at the centre.
    private static func lowPass(cutoffHz: Double) -> [Double] {
        let cutoff = cutoffHz / inputRateHz
        let h = (0..<tapCount).map { i -> Double in
            let t = Double(i) - Double(tapCount - 1) / 2
            let x = 2 * Double.pi * (Double(i) + 0.5) / Double(tapCount)
            let window = 0.355768 - 0.487396 * cos(x) + 0.144232 * cos(2 * x) - 0.012604 * cos(3 * x)
            return sin(2 * .pi * cutoff * t) / (.pi * t) * window
        }
        let gain = h.reduce(0, +)
        return h.map { $0 / gain }
    }

    public mutating func process(_ input: UnsafeBufferPointer<Float>, into output: inout [Complex]) {
        var rest = input[...]
        while !rest.isEmpty {
            let part = UnsafeBufferPointer(rebasing: rest.prefix(BandDecimator.roomCount - pendingCount))
            rest = rest.dropFirst(part.count)
            append(part)
            decimate(into: &output)
        }
    }

    private mutating func append(_ part: UnsafeBufferPointer<Float>) {
        pending.withUnsafeMutableBufferPointer {
            Kernels.copySane(
                part.baseAddress!, part.count, limit: BandDecimator.sanestMagnitude,
                into: $0.baseAddress! + pendingCount)
        }
        pendingCount += part.count
    }

    private mutating func decimate(into output: inout [Complex]) {
        guard pendingCount >= BandDecimator.tapCount else { return }
        let count = (pendingCount - BandDecimator.tapCount) / BandDecimator.factor + 1
        let first = output.count
        output.append(contentsOf: repeatElement(.zero, count: count))
        output.withUnsafeMutableBufferPointer { output in
            Kernels.decimate(
                pending, taps: taps, turnRe: turnRe, turnIm: turnIm, count, into: output.baseAddress! + first)
        }
        let used = count * BandDecimator.factor
        pendingCount -= used
        pending.withUnsafeMutableBufferPointer {
            $0.baseAddress!.update(from: $0.baseAddress! + used, count: pendingCount)
        }
    }
}
