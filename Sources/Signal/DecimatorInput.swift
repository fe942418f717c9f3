import Glibc

/// The samples on their way through a decimating filter: those that outputs still need, whatever the chunks
/// they come in.
///
///     |‥ half the taps of silence ‥| first sample …… newest |  room  |
///     └──────── taps ───────┘
///           └ factor ┘└──────── taps ───────┘
///
/// Samples that are not finite, or beyond ``Kernels/saneMagnitudes``, count as silence.
struct DecimatorInput: Sendable {
    private static let roomCount = 4096

    private let tapCount: Int
    private let factor: Int
    /// `[roomCount]`
    private var samples = [Float](repeating: 0, count: roomCount)
    /// The number of samples at its front that are not used up.
    private var count: Int

    init(tapCount: Int, factor: Int) {
        (self.tapCount, self.factor) = (tapCount, factor)
        count = tapCount / 2
    }

    /// Takes samples, and appends the outputs that are ready: `filter` makes `count` outputs from a place on,
    /// `factor` samples apart.
    mutating func take(
        _ fresh: UnsafeBufferPointer<Float>, into output: inout [Complex],
        _ filter: (_ samples: UnsafePointer<Float>, _ count: Int, _ out: UnsafeMutablePointer<Complex>) ->
            Void
    ) {
        var rest = fresh[...]
        while !rest.isEmpty {
            let part = UnsafeBufferPointer(rebasing: rest.prefix(DecimatorInput.roomCount - count))
            rest = rest.dropFirst(part.count)
            samples.withUnsafeMutableBufferPointer {
                let samples = $0.baseAddress!
                Kernels.copySane(part.baseAddress!, part.count, into: samples + count)
                count += part.count
                guard count >= tapCount else { return }
                let ready = (count - tapCount) / factor + 1
                let place = output.count
                output.append(contentsOf: repeatElement(.zero, count: ready))
                output.withUnsafeMutableBufferPointer { filter(samples, ready, $0.baseAddress! + place) }
                count -= ready * factor
                samples.copy(from: samples + ready * factor, count: count)
            }
        }
    }

    /// Returns a windowed sinc (four-term Nuttall: side lobes under −93 dB) with unit gain at the centre.
    ///
    /// - Parameter cutoff: half the width of the pass band, as a share of the samples' rate.
    static func lowPass(tapCount: Int, cutoff: Double) -> [Double] {
        let h = (0..<tapCount).map { i -> Double in
            let t = Double(i) - Double(tapCount - 1) / 2
            let x = 2 * Double.pi * (Double(i) + 0.5) / Double(tapCount)
            let window = 0.355768 - 0.487396 * cos(x) + 0.144232 * cos(2 * x) - 0.012604 * cos(3 * x)
            return sin(2 * .pi * cutoff * t) / (.pi * t) * window
        }
        let gain = h.reduce(0, +)
        return h.map { $0 / gain }
    }
}
