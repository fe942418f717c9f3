import Signal

/// What noise has been like of late: tells a stretch of sound that may hold a frame from more of the same.
///
///     power   ▃▄▃▃▄▃▃▄▃▄▃▃▃▄▃▃▄▃▅▄▅▄▅▅▄▅▅▄▃▃
///             └──── reference ────┘└ stretch ┘      how many deviations does it stand over what was before?
///
/// A frame at its threshold is 10 dB under the noise, and yet lasts so long that its energy alone shows. Only steady noise can be a
/// measure: powers of the reference that differ by more than noise's own chance say nothing, nor does the first while.
/// A strong frame that has been heard is left out: what is before it and after it is noise like any other. Blocks are counted from
/// the first.
struct SteadyNoise: Sendable {
    /// Blocks of a reference, and of its parts, which must be alike.
    static let referenceBlocks = 384
    private static let partBlocks = 24
    private static let partCount = referenceBlocks / partBlocks

    /// Variance of a block's power in noise of mean power 1.
    private let variance: Float
    private var powers: [Float] = []
    private(set) var start: SamplePosition = 0
    /// Blocks that are no noise, in the order in which they were left out.
    private var left: [Range<SamplePosition>] = []
    /// How far back a reference looks beyond blocks that are left out.
    private static let keptBlocks = 3 * referenceBlocks

    init(variance: Float) {
        self.variance = variance
        powers.reserveCapacity(4 * SteadyNoise.referenceBlocks)
    }

    /// Blocks known, from the first on.
    var end: SamplePosition { start + powers.count }

    mutating func append(_ power: Float) { powers.append(power) }

    /// Blocks hold a frame, or will: they say nothing of the noise.
    mutating func leaveOut(_ blocks: Range<SamplePosition>) { left.append(blocks) }

    /// Whether some of them are left out.
    func leavesOut(_ blocks: Range<SamplePosition>) -> Bool { left.contains { $0.overlaps(blocks) } }

    /// What lies more than a reference before `block` is needed no more.
    mutating func drop(before block: SamplePosition) {
        left.removeAll { $0.upperBound <= start }
        let kept = left.isEmpty ? SteadyNoise.referenceBlocks : SteadyNoise.keptBlocks
        let dropped = min(block - kept - start, powers.count)
        guard dropped > SteadyNoise.referenceBlocks else { return }
        powers.removeFirst(dropped)
        start += dropped
    }

    /// Mean power of the blocks before `block`, if it was steady.
    func reference(before block: SamplePosition) -> Float? {
        let first = block - SteadyNoise.referenceBlocks
        guard first >= start, block <= end else { return nil }
        if leavesOut(first..<block) { return referenceBesides(before: block) }
        return steady(mean(first..<block)) { part in
            let start = first + part * SteadyNoise.partBlocks
            return mean(start..<start + SteadyNoise.partBlocks)
        }
    }

    /// The same of as many parts of the reference's length that nothing is left out of, the latest first.
    private func referenceBesides(before block: SamplePosition) -> Float? {
        let count = SteadyNoise.partCount
        var means = InlineArray<16, Float>(repeating: 0)
        precondition(means.count == count, "as many parts as a reference has")
        var (found, first) = (0, block - SteadyNoise.partBlocks)
        var sum: Float = 0
        while found < count {
            guard first >= start else { return nil }
            let part = first..<first + SteadyNoise.partBlocks
            if let hole = left.first(where: { $0.overlaps(part) }) {
                first = hole.lowerBound - SteadyNoise.partBlocks
                continue
            }
            means[found] = mean(part)
            sum += means[found]
            found += 1
            first -= SteadyNoise.partBlocks
        }
        return steady(sum / Float(count)) { means[$0] }
    }

    /// The mean power of a reference's parts, if they are alike.
    private func steady(_ mean: Float, partMean: (_ part: Int) -> Float) -> Float? {
        guard mean > Kernels.leastPower else { return nil }
        var spread: Float = 0
        for part in 0..<SteadyNoise.partCount {
            let deviation = partMean(part) / mean - 1
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
    func mean(_ blocks: Range<SamplePosition>) -> Float {
        precondition(!blocks.isEmpty && blocks.lowerBound >= start && blocks.upperBound <= end)
        return powers.withUnsafeBufferPointer {
            Kernels.sum($0.baseAddress! + (blocks.lowerBound - start), blocks.count) / Float(blocks.count)
        }
    }

    /// The least power of known blocks that are not silent: of silent ones the sound was lost.
    func least(_ blocks: Range<SamplePosition>) -> Float {
        precondition(blocks.lowerBound >= start && blocks.upperBound <= end)
        var least = Float.infinity
        for power in powers[blocks.lowerBound - start..<blocks.upperBound - start]
        where power > Kernels.leastPower {
            least = min(least, power)
        }
        return least
    }

    /// Whether so much is known before a block as a reference takes.
    func hasHeardEnough(before block: SamplePosition) -> Bool {
        block >= SamplePosition(SteadyNoise.referenceBlocks)
    }
}
