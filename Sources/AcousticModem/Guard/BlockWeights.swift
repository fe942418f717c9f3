import Signal

/// The weights of blocks from their powers, each known once half a span of later blocks is in.
///
///     powers   . . . . . . . . . . .|. . . .|. . . . . . . . . . .
///              ╰──── half a span ───╯ blocks ╰─── half a span ────╯
///
/// A bang is far over the median of the powers about it, and few of them are about as great. What is as loud
/// for longer is a frame, though an encoder may have left only pieces of it.
///
/// Most groups of blocks hold no bang, and one count of these powers shows it; medians are for the others.
struct BlockWeights: Sendable {
    /// The most blocks that are appended between two calls of ``next(_:)``.
    static let most = 32
    /// The number of powers in the vectors that are counted.
    private static let vector = 16

    let halfSpan: Int
    private let mostAlike: Int
    /// The powers from block ``first`` on; silence precedes block 0.
    private var powers: [Float]
    private var first: SamplePosition
    /// The median of the powers of some blocks.
    private var median = RunningMedian()
    private var counted: Range<SamplePosition>
    /// The position after the last block that has its weight.
    private var done: SamplePosition = 0

    /// - Parameters:
    ///   - halfSpan: the number of blocks on either side of a block that the median is taken of.
    ///   - mostAlike: the most of these that have about the power of a bang.
    init(halfSpan: Int, mostAlike: Int) {
        (self.halfSpan, self.mostAlike) = (halfSpan, mostAlike)
        powers = [Float](repeating: 0, count: halfSpan + BlockWeights.vector)
        first = SamplePosition(-powers.count)
        counted = first..<first
        powers.reserveCapacity(capacity)
    }

    /// The most powers that are held: twice what is needed, so that they are moved seldom.
    private var capacity: Int { 4 * halfSpan + 2 * BlockWeights.most }

    /// The position after the last block whose power is known.
    private var known: SamplePosition { first + powers.count }

    /// The number of blocks whose power is known and that have no weight yet.
    var waiting: Int { known - done }

    /// Takes the next blocks, at most ``most``. `blocks`: `[count][blockSamples]`
    mutating func append(_ blocks: UnsafePointer<Complex>, _ blockSamples: Int, count: Int) {
        if powers.count + count > capacity {
            let needed = done - halfSpan - BlockWeights.vector
            powers.removeFirst(needed - first)
            first = needed
        }
        let start = powers.count
        powers += repeatElement(0, count: count)
        powers.withUnsafeMutableBufferPointer {
            Kernels.blockPowers(blocks, blockSamples, count, into: $0.baseAddress! + start)
        }
    }

    /// Weighs the blocks that wait and whose span is known. Returns their number.
    ///
    /// - Parameter isBang: called with each of them that is a bang, by its place among them, and its weight.
    mutating func next(_ isBang: (_ place: Int, _ weight: Float) -> Void) -> Int {
        let blocks = done..<max(done, known - halfSpan)
        done = blocks.upperBound
        guard !blocks.isEmpty, mayHoldBang(blocks) else { return blocks.count }
        for block in blocks {
            if let weight = weight(block) { isBang(block - blocks.lowerBound, weight) }
        }
        return blocks.count
    }

    /// Returns false if none of some blocks is a bang. The least median that makes the greatest of them none
    /// is compared with all powers about them: if no more than half a span of these are less, each block's
    /// median is greater.
    private func mayHoldBang(_ blocks: Range<SamplePosition>) -> Bool {
        var greatest: Float = 0
        for block in blocks.lowerBound - 1...blocks.upperBound { greatest = max(greatest, power(block)) }
        let bound = RunningMedian.greatestRatio * greatest / Thresholds.guards.bangRatio
        return count(about: blocks, below: bound) > halfSpan
    }

    /// Returns the number of blocks with less than some power among some blocks and half a span on either
    /// side, a few earlier ones included: whole vectors are counted.
    private func count(about blocks: Range<SamplePosition>, below bound: Float) -> Int {
        let count = (blocks.count + 2 * halfSpan + BlockWeights.vector - 1) & -BlockWeights.vector
        let end = blocks.upperBound + halfSpan - first
        return powers.withUnsafeBufferPointer {
            Kernels.count($0.baseAddress! + (end - count), count, by: 1, below: bound)
        }
    }

    /// Returns the weight of a block, or `nil` if it is no bang.
    private mutating func weight(_ block: SamplePosition) -> Float? {
        moveMedian(to: block - halfSpan..<block + halfSpan + 1)
        let level = median.median()
        let power = self.power(block)
        // A bang's skirts lie in the blocks beside it.
        let greatest = max(self.power(block - 1), power, self.power(block + 1))
        let isBang =
            power > level && greatest > Thresholds.guards.bangRatio * level
            && alikeCount(greatest, about: block) <= mostAlike
        return isBang ? level / power : nil
    }

    /// Returns the number of blocks about one that have about some power.
    private func alikeCount(_ power: Float, about block: SamplePosition) -> Int {
        let ratio = Thresholds.guards.alikeRatio
        return count(about: block..<block + 1, below: power * ratio)
            - count(about: block..<block + 1, below: power / ratio)
    }

    /// Makes the median that of some blocks, which begin no earlier than those that it is of.
    private mutating func moveMedian(to blocks: Range<SamplePosition>) {
        if counted.upperBound <= blocks.lowerBound || counted.lowerBound < first {
            median.removeAll()
            counted = blocks.lowerBound..<blocks.lowerBound
        }
        for block in counted.upperBound..<blocks.upperBound { median.insert(power(block)) }
        for block in counted.lowerBound..<blocks.lowerBound { median.remove(power(block)) }
        counted = blocks
    }

    private func power(_ block: SamplePosition) -> Float { powers[block - first] }
}
