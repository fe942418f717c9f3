import Signal

/// The distribution of power within each block of a field. A frame does not begin where a block begins, and
/// sound before the frame must not count as the noise of its time.
///
///     power    ▁▁▁▁▁▁▇▇▇▇▇▇▇▇▇▇▇▇▁▁▁▁
///     blocks   |       |       |     |
///     parts    | | | | | | | | | | | |       of 50 ms, where blocks are long
struct BlockParts: Sendable {
    private static let seconds = 0.05
    /// The ratio of the greatest part to the least that noise of one level does not reach within a frame.
    private static let greatestRatio: Float = 3

    let perBlock: Int
    /// The number of samples in a part.
    let sampleCount: Int
    /// The mean distance, in samples, of the samples that a correlation sums from the correlation's position.
    private let lag: Int
    /// The power of each part over the mean of its block's parts. `(block, part)`
    private var shares: [Float] = []
    /// The least and the greatest power of each block's parts. A block has no bounds while it is silent, has
    /// not been made, or is compared with a single noise level.
    private var bounds: [Bounds] = []

    private struct Bounds {
        var least = Float.infinity
        var greatest: Float = 0
    }

    /// - Parameters:
    ///   - hop: the number of samples in a block.
    ///   - reachSamples: the number of samples that a correlation sums.
    init(hop: Int, band: Band, reachSamples: Int) {
        let wanted = Double(hop) / (BlockParts.seconds * band.rateHz)
        perBlock = wanted > 2 && hop % 4 == 0 ? 4 : 1
        sampleCount = hop / perBlock
        lag = reachSamples / 2
    }

    /// Appends a block that is still to be made.
    mutating func append() {
        shares.append(contentsOf: repeatElement(1, count: perBlock))
        bounds.append(Bounds())
    }

    mutating func removeFirst(_ blocks: Int) {
        shares.removeFirst(blocks * perBlock)
        bounds.removeFirst(blocks)
    }

    mutating func removeAll() {
        shares.removeAll(keepingCapacity: true)
        bounds.removeAll(keepingCapacity: true)
    }

    /// Measures the parts of a block; `samples` are the ones that the block is made of.
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

    /// Returns true if the sound gets louder or quieter within these blocks by more than noise of one level
    /// does.
    func haveSteps(_ blocks: Range<Int>) -> Bool {
        var all = Bounds()
        for block in blocks {
            all.least = min(all.least, bounds[block].least)
            all.greatest = max(all.greatest, bounds[block].greatest)
        }
        return all.greatest > BlockParts.greatestRatio * all.least
    }

    /// Returns the power of a part over the mean of its block's parts.
    func share(_ part: Int) -> Float { shares[part] }
}
