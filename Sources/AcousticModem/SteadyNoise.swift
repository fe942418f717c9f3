import Signal

/// A record of the recent noise. It distinguishes a stretch of sound that may hold a frame from more noise.
///
///     power   ▃▄▃▃▄▃▃▄▃▄▃▃▃▄▃▃▄▃▅▄▅▄▅▅▄▅▅▄▃▃
///             └──── reference ────┘└ stretch ┘      how many deviations does it stand over what was before?
///
/// A frame at its threshold is 10 dB under the noise, and yet lasts so long that its energy alone shows. Only
/// steady noise can serve as a measure: the reference says nothing if its powers differ by more than chance
/// in noise allows, or while too little has been heard. A strong frame that has been heard is left out, and
/// the noise before and after it counts. Blocks are counted from the first.
struct SteadyNoise: Sendable {
    /// The number of blocks in a reference, and in each of its parts, which must be alike.
    static let referenceBlocks = 384
    private static let partBlocks = 24
    private static let partCount = referenceBlocks / partBlocks

    /// The variance of a block's power in noise of mean power 1.
    private let variance: Float
    private var powers: [Float] = []
    private(set) var start: SamplePosition = 0
    /// The blocks that hold no noise, in the order in which they were left out.
    private var left: [Range<SamplePosition>] = []
    /// The number of blocks that a reference looks back if some are left out.
    private static let keptBlocks = 3 * referenceBlocks

    init(variance: Float) {
        self.variance = variance
        powers.reserveCapacity(4 * SteadyNoise.referenceBlocks)
    }

    /// The end of the known blocks, counted from the first.
    var end: SamplePosition { start + powers.count }

    mutating func append(_ power: Float) { powers.append(power) }

    /// Replaces the powers of known blocks by those of sound without the frames heard, so that no block of
    /// them is left out.
    mutating func replace(_ blocks: Range<SamplePosition>, by power: (SamplePosition) -> Float) {
        for block in blocks.clamped(to: start..<end) { powers[block - start] = power(block) }
        left.removeAll { $0.overlaps(blocks) }
    }

    /// Leaves out blocks that hold a frame, or will: they say nothing about the noise.
    mutating func leaveOut(_ blocks: Range<SamplePosition>) { left.append(blocks) }

    /// Returns true if some of the blocks are left out.
    func leavesOut(_ blocks: Range<SamplePosition>) -> Bool { left.contains { $0.overlaps(blocks) } }

    /// Drops blocks that lie more than a reference before `block`.
    mutating func drop(before block: SamplePosition) {
        left.removeAll { $0.upperBound <= start }
        let kept = left.isEmpty ? SteadyNoise.referenceBlocks : SteadyNoise.keptBlocks
        let dropped = min(block - kept - start, powers.count)
        guard dropped > SteadyNoise.referenceBlocks else { return }
        powers.removeFirst(dropped)
        start += dropped
    }

    /// Returns the mean power of the reference before `block`, or `nil` if it was not steady.
    func reference(before block: SamplePosition) -> Float? {
        let first = block - SteadyNoise.referenceBlocks
        guard first >= start, block <= end else { return nil }
        if leavesOut(first..<block) { return referenceBesides(before: block) }
        return steady(mean(first..<block)) { part in
            let start = first + part * SteadyNoise.partBlocks
            return mean(start..<start + SteadyNoise.partBlocks)
        }
    }

    /// Does the same with as many parts of the reference that have no block left out, the latest first.
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

    /// Returns the mean power of a reference's parts, or `nil` if they are not alike.
    private func steady(_ mean: Float, partMean: (_ part: Int) -> Float) -> Float? {
        guard mean > Kernels.leastPower else { return nil }
        var spread: Float = 0
        for part in 0..<SteadyNoise.partCount {
            let deviation = partMean(part) / mean - 1
            spread += deviation * deviation
        }
        return spread * Float(SteadyNoise.partBlocks) < Thresholds.dsss.steadySpread * variance ? mean : nil
    }

    /// Returns how many standard deviations of noise the mean power of blocks stands over a reference.
    func excess(_ meanPower: Float, blocks: Int, over reference: Float) -> Float {
        let share = 1 / Float(blocks) + 1 / Float(SteadyNoise.referenceBlocks)
        return (meanPower / reference - 1) / (variance * share).squareRoot()
    }

    /// Returns the mean power of known blocks.
    func mean(_ blocks: Range<SamplePosition>) -> Float {
        precondition(!blocks.isEmpty && blocks.lowerBound >= start && blocks.upperBound <= end)
        return powers.withUnsafeBufferPointer {
            Kernels.sum($0.baseAddress! + (blocks.lowerBound - start), blocks.count) / Float(blocks.count)
        }
    }

    /// Returns the least power of known blocks, except for silent ones, whose sound was lost.
    func least(_ blocks: Range<SamplePosition>) -> Float {
        precondition(blocks.lowerBound >= start && blocks.upperBound <= end)
        var least = Float.infinity
        for power in powers[blocks.lowerBound - start..<blocks.upperBound - start]
        where power > Kernels.leastPower {
            least = min(least, power)
        }
        return least
    }

    /// Returns true if enough blocks lie before `block` for a reference.
    func hasHeardEnough(before block: SamplePosition) -> Bool {
        block >= SamplePosition(SteadyNoise.referenceBlocks)
    }
}
