import Signal

/// The weights of blocks from their powers, each known once half a span of later blocks is in.
///
///     powers   . . . . . . . . . . .|. . . .|. . . . . . . . . . .
///              ╰──── half a span ───╯ blocks ╰─── half a span ────╯
///
/// A block's level is the greater of the medians before it and after it: a bang has noise on both sides, a
/// piece of a frame has more of the frame on one of them. An encoder that keeps seven tenths of a frame
/// leaves few halves of a span without most of it.
///
/// Most groups of blocks hold no bang, and one count of these powers shows it; medians are for the others.
struct BlockWeights: Sendable {
    /// The most blocks that are appended between two calls of ``next(_:)``.
    static let most = 32
    /// The number of powers in the vectors that are counted.
    private static let vector = 16

    let halfSpan: Int
    /// The powers from block ``first`` on; silence precedes block 0.
    private var powers: [Float]
    private var first: SamplePosition
    private var before: SpanMedian
    private var after: SpanMedian
    /// The position after the last block that has its weight.
    private var done: SamplePosition = 0

    /// - Parameter halfSpan: the number of blocks on either side of a block that a median is taken of.
    init(halfSpan: Int) {
        self.halfSpan = halfSpan
        powers = [Float](repeating: 0, count: halfSpan + BlockWeights.vector)
        first = SamplePosition(-powers.count)
        before = SpanMedian(start: first)
        after = before
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

    /// Returns false if none of some blocks is a bang. The least level that makes the greatest of them none
    /// is compared with all powers about them: if no more than half a span of these are less, one of each
    /// block's medians is greater.
    private func mayHoldBang(_ blocks: Range<SamplePosition>) -> Bool {
        var greatest: Float = 0
        for block in blocks.lowerBound - 1...blocks.upperBound { greatest = max(greatest, power(block)) }
        let bound = RunningMedian.greatestRatio * greatest / Thresholds.guards.bangRatio
        // Whole vectors: a few earlier blocks count, too.
        let count = (blocks.count + 2 * halfSpan + BlockWeights.vector - 1) & -BlockWeights.vector
        let end = blocks.upperBound + halfSpan - first
        let below = powers.withUnsafeBufferPointer {
            Kernels.count($0.baseAddress! + (end - count), count, by: 1, below: bound)
        }
        return below > halfSpan
    }

    /// Returns the weight of a block, or `nil` if it is no bang.
    private mutating func weight(_ block: SamplePosition) -> Float? {
        let level = max(
            before.median(of: block - halfSpan..<block, in: powers, from: first),
            after.median(of: block + 1..<block + halfSpan + 1, in: powers, from: first))
        let power = self.power(block)
        let bound = Thresholds.guards.bangRatio * level
        // A bang's skirts lie in the blocks beside it.
        let isBang =
            power > bound || power > level && max(self.power(block - 1), self.power(block + 1)) > bound
        return isBang ? level / power : nil
    }

    private func power(_ block: SamplePosition) -> Float { powers[block - first] }
}
