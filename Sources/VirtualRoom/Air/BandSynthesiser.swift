import Signal

/// A streaming converter of the envelope to samples. Its opposite is ``BandAnalyser``.
///
///     x[n] = Re{ e^{j2πf₀(n − latency)} Σ_m 4 h[n − 40 − 4m] z[m] }
///
/// Carrier and taps form one row of real numbers for each of twenty n, and then repeat. Shapes: `[n]` →
/// `[4n]`; blocks begin at multiples of 20 samples.
struct BandSynthesiser: Sendable {
    /// The number of envelope samples that a row covers, this one included. A row has as many floats as
    /// `Kernels.dotRows` expects.
    private static let reach = 32

    /// The rows, `[5][4][64]`: the envelope's phase, the sample within it, the taps.
    private let rows: [Float]
    /// The last `[reach − 1]` samples of the envelope, then the block.
    private var window: [Complex]
    private let blockCount: Int

    init(envelopeBlockCount: Int) {
        blockCount = envelopeBlockCount
        window = [Complex](repeating: .zero, count: BandSynthesiser.reach - 1 + envelopeBlockCount)
        rows = (0..<Band.phaseCount * Band.decimation).flatMap(BandSynthesiser.row)
    }

    private static func row(_ n: Int) -> [Float] {
        let carrier = Band.carrier(atSample: n + 100 * Band.phaseCount - Band.latencySamples)
        let (last, within) = (n / Band.decimation, n % Band.decimation)
        return (0..<reach).flatMap { i -> [Float] in
            let m = last - (reach - 1) + i
            let tap = Band.decimation * (last - m) + within
            guard Band.lowPass.indices.contains(tap) else { return [0, 0] }
            let h = Double(Band.decimation) * Band.lowPass[tap]
            return [Float(h * carrier.re), Float(-h * carrier.im)]
        }
    }

    /// Writes the samples of the envelope's next block; `nil` means silence.
    mutating func process(_ envelope: UnsafePointer<Complex>?, gain: Float, into samples: inout [Float]) {
        let (past, blockCount) = (BandSynthesiser.reach - 1, blockCount)
        window.withUnsafeMutableBufferPointer { window in
            let z = window.baseAddress!
            for m in 0..<blockCount { z[past + m] = envelope.map { $0[m] * gain } ?? .zero }
            samples.withUnsafeMutableBufferPointer { out in
                rows.withUnsafeBufferPointer {
                    BandSynthesiser.write(z, blockCount, rows: $0.baseAddress!, into: out.baseAddress!)
                }
            }
            z.update(from: z + blockCount, count: past)
        }
    }

    private static func write(
        _ z: UnsafePointer<Complex>, _ blockCount: Int, rows: UnsafePointer<Float>,
        into samples: UnsafeMutablePointer<Float>
    ) {
        for m in 0..<blockCount {
            let four = rows + m % Band.phaseCount * Band.decimation * 2 * BandSynthesiser.reach
            Kernels.floats(z + m) {
                Kernels.dotRows(four, count: Band.decimation, $0, into: samples + Band.decimation * m)
            }
        }
    }
}
