import Signal

/// A limiter of bangs: a clap, a key or a door that lasts a hundredth of a frame must not hide all of it.
///
///     power   ▁▂▁▂▁▁▂█▁▂▁▂▁▁▂▁▂       a block of 2 ms far over the median of the 0.4 s about it
///     weight  ─────────┐_┌───────     median / power: the best linear weight under so loud a noise
///
/// A frame is longer than half of the median's span, so no part of it counts as a bang. Shapes: in `[n]` →
/// out `[≈ n]`, the same positions, 0.2 s later. Streaming. Where nothing is limited the output is the input,
/// sample for sample.
struct PulseLimiter: Sendable {
    private static let blockSeconds = 0.002
    /// The time on either side of a block that the median is taken of.
    private static let halfSpanSeconds = 0.2

    /// The number of samples in a block.
    private let blockSamples: Int
    /// The samples that are not out yet, from the next block on.
    private var pending: [Complex] = []
    private var weights: BlockWeights

    init(band: Band) {
        blockSamples = max(1, band.samples(seconds: PulseLimiter.blockSeconds))
        weights = BlockWeights(
            halfSpan: band.samples(seconds: PulseLimiter.halfSpanSeconds) / blockSamples)
    }

    /// The most samples that are taken in before one is out: after so many of silence, all earlier input is
    /// out.
    var delaySamples: Int { (weights.halfSpan + 1) * blockSamples }

    mutating func process(_ input: ArraySlice<Complex>, into output: inout [Complex]) {
        pending += input
        // Indices in `pending`: the end of what is out, and the end of what goes out unchanged.
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

/// The weights of blocks from their powers, each known once half a span of later blocks is in.
private struct BlockWeights: Sendable {
    let halfSpan: Int
    /// The powers of the median's span, and of one block more at least; block b is at b mod count, a power of
    /// two.
    private var powers: [Float]
    private var median = RunningMedian()
    /// The positions after the last block whose power is known, and after the last that has its weight.
    private var known: SamplePosition = 0
    private var done: SamplePosition = 0

    init(halfSpan: Int) {
        self.halfSpan = halfSpan
        let least = 2 * halfSpan + 2
        powers = [Float](repeating: 0, count: 1 << (Int.bitWidth - (least - 1).leadingZeroBitCount))
    }

    /// The number of blocks whose power is known and that have no weight yet.
    var waiting: Int { known - done }

    mutating func append(power: Float) {
        powers[place(of: known)] = power
        median.insert(power)
        known += 1
    }

    /// Returns the weight of the oldest block that waits, or `nil` if it is no bang.
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

    /// Returns the power of a block; silence precedes the first one.
    private func power(_ block: SamplePosition) -> Float { block < 0 ? 0 : powers[place(of: block)] }

    private func place(of block: SamplePosition) -> Int {
        Int(truncatingIfNeeded: block.index) & (powers.count - 1)
    }
}
