import Signal

/// What noise has been like of late: tells a stretch of sound that may hold a frame from more of the same.
///
///     power   ▃▄▃▃▄▃▃▄▃▄▃▃▃▄▃▃▄▃▅▄▅▄▅▅▄▅▅▄▃▃
///             └──── reference ────┘└ stretch ┘      how many deviations does it stand over what was before?
///
/// A frame at its threshold is 10 dB under the noise, and yet lasts so long that its energy alone shows. Only steady noise can be a
/// measure: powers of the reference that differ by more than noise's own chance say nothing, nor does the first while.
/// Blocks are counted from the first.
struct SteadyNoise: Sendable {
    /// Blocks of a reference, and of its parts, which must be alike.
    static let referenceBlocks = 384
    private static let partBlocks = 24

    /// Variance of a block's power in noise of mean power 1.
    private let variance: Float
    private var powers: [Float] = []
    private var start = 0

    init(variance: Float) {
        self.variance = variance
        powers.reserveCapacity(4 * SteadyNoise.referenceBlocks)
    }

    /// Blocks known, from the first on.
    var end: Int { start + powers.count }

    mutating func append(_ power: Float) { powers.append(power) }

    /// What lies more than a reference before `block` is needed no more.
    mutating func drop(before block: Int) {
        let dropped = min(block - SteadyNoise.referenceBlocks - start, powers.count)
        guard dropped > SteadyNoise.referenceBlocks else { return }
        powers.removeFirst(dropped)
        start += dropped
    }

    /// Mean power of the blocks before `block`, if it was steady.
    func reference(before block: Int) -> Float? {
        let first = block - SteadyNoise.referenceBlocks
        guard first >= start, block <= end else { return nil }
        let mean = mean(first..<block)
        guard mean > Kernels.leastPower else { return nil }
        var spread: Float = 0
        for part in stride(from: first, to: block, by: SteadyNoise.partBlocks) {
            let deviation = self.mean(part..<part + SteadyNoise.partBlocks) / mean - 1
            spread += deviation * deviation
        }
        return spread * Float(SteadyNoise.partBlocks) < Thresholds.dsss.steadySpread * variance ? mean : nil
    }

    /// By how many deviations of noise the mean power of blocks stands over a reference.
    func excess(_ meanPower: Float, blocks: Int, over reference: Float) -> Float {
        let share = 1 / Float(blocks) + 1 / Float(SteadyNoise.referenceBlocks)
        return (meanPower / reference - 1) / (variance * share).squareRoot()
    }

    /// Mean power of known blocks.
    func mean(_ blocks: Range<Int>) -> Float {
        precondition(!blocks.isEmpty && blocks.lowerBound >= start && blocks.upperBound <= end)
        return powers.withUnsafeBufferPointer {
            Kernels.sum($0.baseAddress! + blocks.lowerBound - start, blocks.count) / Float(blocks.count)
        }
    }
}
