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
    private static let laneBlocks = 5  // 20 lanes as five SIMD4
    private static let sanestMagnitude: Float = 16

    private let taps: [SIMD4<Float>]
    private let turnRe: [SIMD4<Float>]
    private let turnIm: [SIMD4<Float>]
    /// The latest input, at most `tapCount − 1 + factor − 1` samples not yet used up.
    private var pending: [Float]

    /// - Parameter cutoffHz: half width of the pass band.
    public init(cutoffHz: Double = 1180) {
        let h = BandDecimator.lowPass(cutoffHz: cutoffHz)
        taps = stride(from: 0, to: h.count, by: 4).map { i in SIMD4((0..<4).map { Float(h[i + $0]) }) }
        let angles = (0..<BandDecimator.factor).map { -2 * Double.pi * 0.4 * Double($0) }
        let lanes = stride(from: 0, to: BandDecimator.factor, by: 4)
        turnRe = lanes.map { i in SIMD4((0..<4).map { Float(cos(angles[i + $0])) }) }
        turnIm = lanes.map { i in SIMD4((0..<4).map { Float(sin(angles[i + $0])) }) }
        pending = [Float](repeating: 0, count: BandDecimator.tapCount / 2)
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
        let old = pending.count
        pending.append(contentsOf: input)
        pending.withUnsafeMutableBufferPointer { samples in
            for i in old..<samples.count where !(samples[i].magnitude <= BandDecimator.sanestMagnitude) {
                samples[i] = 0
            }
        }
        let count = (pending.count - BandDecimator.tapCount) / BandDecimator.factor + 1
        guard count > 0, pending.count >= BandDecimator.tapCount else { return }
        pending.withUnsafeBufferPointer { samples in
            for m in 0..<count { output.append(filter(samples.baseAddress! + m * BandDecimator.factor)) }
        }
        pending.removeFirst(count * BandDecimator.factor)
    }

    private func filter(_ x: UnsafePointer<Float>) -> Complex {
        let raw = UnsafeRawPointer(x)
        var s0 = SIMD4<Float>()
        var s1 = s0
        var s2 = s0
        var s3 = s0
        var s4 = s0
        taps.withUnsafeBufferPointer { h in
            var k = 0
            while k < h.count {
                s0 += raw.loadUnaligned(fromByteOffset: 16 * k, as: SIMD4<Float>.self) * h[k]
                s1 += raw.loadUnaligned(fromByteOffset: 16 * k + 16, as: SIMD4<Float>.self) * h[k + 1]
                s2 += raw.loadUnaligned(fromByteOffset: 16 * k + 32, as: SIMD4<Float>.self) * h[k + 2]
                s3 += raw.loadUnaligned(fromByteOffset: 16 * k + 48, as: SIMD4<Float>.self) * h[k + 3]
                s4 += raw.loadUnaligned(fromByteOffset: 16 * k + 64, as: SIMD4<Float>.self) * h[k + 4]
                k += BandDecimator.laneBlocks
            }
        }
        let re = s0 * turnRe[0] + s1 * turnRe[1] + s2 * turnRe[2] + s3 * turnRe[3] + s4 * turnRe[4]
        let im = s0 * turnIm[0] + s1 * turnIm[1] + s2 * turnIm[2] + s3 * turnIm[3] + s4 * turnIm[4]
        return Complex(re.sum(), im.sum())
    }
}
