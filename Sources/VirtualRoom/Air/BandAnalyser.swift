import Signal

/// A streaming converter of samples to the envelope. Its opposite is ``BandSynthesiser``.
///
///     z[m] = 2 Σ_k h[k] x[4m − 40 + k] e^{−j2πf₀(4m − 40 + k)},   k = −40 … 40
///
/// Shapes: `[4n]` → `[n]`; blocks begin at multiples of 20 samples. Sample m of the envelope belongs to
/// sample 4m − 40.
struct BandAnalyser: Sendable {
    /// The number of taps, padded in front to a multiple of eight.
    private static let tapCount = 88

    private let tapsRe: [Float]
    private let tapsIm: [Float]
    /// The last `[tapCount − 1]` samples, then the block.
    private var window: [Float]

    init(blockCount: Int) {
        let padding = BandAnalyser.tapCount - Band.lowPass.count
        let taps = [Double](repeating: 0, count: padding) + Band.lowPass
        // Tap i is k = i − padding − reach. The carrier repeats every five samples.
        let carriers = taps.indices.map {
            Band.carrier(atSample: $0 - padding - Band.filterReach + 100 * Band.phaseCount)
        }
        tapsRe = zip(taps, carriers).map { Float(2 * $0 * $1.re) }
        tapsIm = zip(taps, carriers).map { Float(-2 * $0 * $1.im) }
        window = [Float](repeating: 0, count: BandAnalyser.tapCount - 1 + blockCount)
    }

    /// - Parameter samples: the next block; `nil` means silence.
    mutating func process(_ samples: [Float]?, into envelope: UnsafeMutablePointer<Complex>) {
        let past = BandAnalyser.tapCount - 1
        let blockCount = window.count - past
        window.withUnsafeMutableBufferPointer { buffer in
            let x = buffer.baseAddress!
            x.update(from: x + blockCount, count: past)
            if let samples {
                samples.withUnsafeBufferPointer {
                    (x + past).update(from: $0.baseAddress!, count: blockCount)
                }
            } else {
                (x + past).update(repeating: 0, count: blockCount)
            }
            for m in 0..<blockCount / Band.decimation {
                // The last tap is at sample 4m, and the first one 87 samples before it.
                let first = x + Band.decimation * m
                let sum = Complex(
                    Kernels.dot(first, tapsRe, BandAnalyser.tapCount),
                    Kernels.dot(first, tapsIm, BandAnalyser.tapCount))
                envelope[m] = sum * BandAnalyser.turns[m % Band.phaseCount]
            }
        }
    }

    /// e^{−j2πf₀(4m − 40)} for m = 0 … 4.
    private static let turns = (0..<Band.phaseCount).map { m in
        let carrier = Band.carrier(atSample: Band.decimation * m + 100 * Band.phaseCount - Band.filterReach)
        return Complex(Float(carrier.re), Float(-carrier.im))
    }
}
