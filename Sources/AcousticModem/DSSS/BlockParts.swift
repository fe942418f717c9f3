import Signal

/// How the power of each block of a field is spread over it: a frame's time does not begin where a block does, and what sounds
/// before it must not be taken for its noise.
///
///     power    ▁▁▁▁▁▁▇▇▇▇▇▇▇▇▇▇▇▇▁▁▁▁
///     blocks   |       |       |     |
///     parts    | | | | | | | | | | | |       of 50 ms, where blocks are long
struct BlockParts: Sendable {
    private static let seconds = 0.05
    /// The greatest part over the least that noise of one level does not reach in a frame's time.
    private static let greatestRatio: Float = 3

    let perBlock: Int
    /// Samples of a part.
    let sampleCount: Int
    /// By how much the samples that a correlation is made of lie behind its position, in the mean.
    private let lag: Int
    /// Each part's power over the mean of its block's. `(block, part)`
    private var shares: [Float] = []
    /// The least and the greatest power of each block's parts. A block has none while it is silent, has not been made, or stands
    /// against one level.
    private var bounds: [Bounds] = []

    private struct Bounds {
        var least = Float.infinity
        var greatest: Float = 0
    }

    /// - Parameters:
    ///   - hop: samples of a block.
    ///   - reachSamples: how many of them a correlation is made of.
    init(hop: Int, band: Band, reachSamples: Int) {
        let wanted = Double(hop) / (BlockParts.seconds * band.rateHz)
        perBlock = wanted > 2 && hop % 4 == 0 ? 4 : 1
        sampleCount = hop / perBlock
        lag = reachSamples / 2
    }

    /// Takes up a block that is still to be made.
    mutating func append() {
        shares.append(contentsOf: repeatElement(1, count: perBlock))
        bounds.append(Bounds())
    }

    mutating func removeFirst(_ blocks: Int) {
        shares.removeFirst(blocks * perBlock)
        bounds.removeFirst(blocks)
    }

    /// Measures a block; `samples` are what it is made of.
    mutating func measure(_ block: Int, _ samples: UnsafePointer<Complex>) {
        guard perBlock > 1 else { return }
        var (bounds, sum) = (Bounds(), Float(0))
        let places = block * perBlock..<(block + 1) * perBlock
        for place in places {
            let first = samples + lag + (place - places.lowerBound) * sampleCount
            let power = Kernels.innerProduct(first, first, sampleCount)
            shares[place] = power
            sum += power
            if power > 0 { bounds.least = min(bounds.least, power) }
            bounds.greatest = max(bounds.greatest, power)
        }
        self.bounds[block] = bounds
        for place in places { shares[place] = sum > 0 ? shares[place] / sum * Float(perBlock) : 1 }
    }

    /// Whether the sound gets so much louder or quieter within these blocks as noise of one level does not.
    func haveSteps(_ blocks: Range<Int>) -> Bool {
        var all = Bounds()
        for block in blocks {
            all.least = min(all.least, bounds[block].least)
            all.greatest = max(all.greatest, bounds[block].greatest)
        }
        return all.greatest > BlockParts.greatestRatio * all.least
    }

    /// The power of a part over the mean of its block's.
    func share(_ part: Int) -> Float { shares[part] }
}
