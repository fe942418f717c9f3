import Signal

/// Takes the loudness out of bangs: a clap, a key or a door that lasts a hundredth of a frame must not hide all of it.
///
///     power   ▁▂▁▂▁▁▂█▁▂▁▂▁▁▂▁▂       a block of 2 ms far over the median of the 0.4 s about it
///     weight  ─────────┐_┌───────     median / power: the best that linear weights can do where the noise is so much louder
///
/// A frame is longer than half of the median's span: from its first block to its last it is no bang.
/// Shapes: in `[n]` → out `[≈ n]`, the same positions, 0.2 s later. Streaming. Where nothing is limited the output is the
/// input, sample for sample.
struct PulseLimiter: Sendable {
    private static let blockSeconds = 0.002
    /// Blocks on either side that the median is taken of.
    private static let halfSpanSeconds = 0.2

    /// Samples of a block.
    private let blockSamples: Int
    /// Samples that are not out yet, from the next block on.
    private var pending: [Complex] = []
    private var weights: BlockWeights

    init(band: Band) {
        blockSamples = max(1, band.samples(seconds: PulseLimiter.blockSeconds))
        weights = BlockWeights(
            halfSpan: band.samples(seconds: PulseLimiter.halfSpanSeconds) / blockSamples)
    }

    /// Samples that are taken in before one is out, at most: with so many of silence, all that came before is out.
    var delaySamples: Int { (weights.halfSpan + 1) * blockSamples }

    mutating func process(_ input: ArraySlice<Complex>, into output: inout [Complex]) {
        pending += input
        // Of `pending`: what is out, and what is to go out as it is.
        var copied = 0
        var used = 0
        pending.withUnsafeBufferPointer { pending in
            func copy() {
                output += UnsafeBufferPointer(rebasing: pending[copied..<used])
                copied = used
            }
            while pending.count - used >= (weights.waiting + 1) * blockSamples {
                let newest = pending.baseAddress! + used + weights.waiting * blockSamples
                weights.append(power: Kernels.innerProduct(newest, newest, blockSamples))
                guard weights.waiting > weights.halfSpan else { continue }
                if let weight = weights.next() {
                    copy()
                    for sample in pending[used..<used + blockSamples] { output.append(sample * weight) }
                    copied += blockSamples
                }
                used += blockSamples
            }
            copy()
        }
        if used > 0 { pending.removeFirst(used) }
    }
}

/// The powers of blocks → what each is to be weighted with, once half a span of others after it is known.
private struct BlockWeights: Sendable {
    let halfSpan: Int
    /// Powers of the median's span, and of one block more; block b is at b mod count.
    private var powers: [Float]
    private var median = RunningMedian()
    /// After the last block whose power is known, and after the last that has its weight.
    private var known: SamplePosition = 0
    private var done: SamplePosition = 0

    init(halfSpan: Int) {
        self.halfSpan = halfSpan
        powers = [Float](repeating: 0, count: 2 * halfSpan + 2)
    }

    /// Blocks whose power is known, and that have no weight yet.
    var waiting: Int { known - done }

    mutating func append(power: Float) {
        powers[known % powers.count] = power
        median.insert(power)
        known += 1
    }

    /// The weight of the oldest block that waits. Nil: it is no bang.
    mutating func next() -> Float? {
        let level = median.median()
        let power = self.power(done)
        let bound = Thresholds.guards.bangRatio * level
        // A bang's skirts lie in the blocks beside it.
        let isBang = power > bound || power > level && max(self.power(done - 1), self.power(done + 1)) > bound
        done += 1
        if done > SamplePosition(halfSpan) { median.remove(self.power(done - 1 - halfSpan)) }
        return isBang ? level / power : nil
    }

    /// Silence before the first block.
    private func power(_ block: SamplePosition) -> Float { block < 0 ? 0 : powers[block % powers.count] }
}
