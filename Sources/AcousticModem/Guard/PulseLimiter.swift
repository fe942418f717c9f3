import Signal

/// A limiter of bangs: a clap, a key or a door that lasts a hundredth of a frame must not hide all of it.
///
///     power   ▁▂▁▂▁▁▂█▁▂▁▂▁▁▂▁▂       a block of 2 ms far over the median of the 0.4 s about it
///     weight  ─────────┐_┌───────     median / power: the best linear weight under so loud a noise
///
/// A frame is longer than any bang, so no part of it counts as one. Shapes: in `[n]` → out `[≈ n]`, the same
/// positions, 0.2 s later. Streaming. Where nothing is limited the output is the input, sample for sample.
struct PulseLimiter: Sendable {
    private static let blockSeconds = 0.002
    /// The time on either side of a block that the median is taken of.
    private static let halfSpanSeconds = 0.2

    /// The number of samples in a block.
    private let blockSamples: Int
    /// The samples that are not out yet, from the next block on, after `used` that are.
    private var pending: [Complex] = []
    private var used = 0
    private var weights: BlockWeights

    init(band: Band) {
        blockSamples = max(1, band.samples(seconds: PulseLimiter.blockSeconds))
        weights = BlockWeights(
            halfSpan: band.samples(seconds: PulseLimiter.halfSpanSeconds) / blockSamples,
            mostAlike: band.samples(seconds: Thresholds.guards.bangSeconds) / blockSamples)
    }

    /// The most samples that are taken in before one is out: after so many of silence, all earlier input is
    /// out.
    var delaySamples: Int { (weights.halfSpan + 1) * blockSamples }

    mutating func process(_ input: ArraySlice<Complex>, into output: inout [Complex]) {
        pending += input
        guard !pending.isEmpty else { return }
        pending.withUnsafeMutableBufferPointer { pending in
            let blocks = UnsafePointer(pending.baseAddress! + used + weights.waiting * blockSamples)
            let count = (pending.count - used) / blockSamples - weights.waiting
            for first in stride(from: 0, to: count, by: BlockWeights.most) {
                weights.append(
                    blocks + first * blockSamples, blockSamples, count: min(BlockWeights.most, count - first))
                let weighed = weights.next { place, weight in
                    let start = used + place * blockSamples
                    for index in start..<start + blockSamples { pending[index] *= weight }
                }
                output += pending[used..<used + weighed * blockSamples]
                used += weighed * blockSamples
            }
        }
        // To remove samples moves the others, which are as many as half a span has.
        if used > pending.count - used {
            pending.removeFirst(used)
            used = 0
        }
    }
}
