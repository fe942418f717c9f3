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
    private let halfSpan: Int
    /// Samples that are not out yet, from the next block on.
    private var pending: [Complex] = []
    /// Powers of the median's span, and of one block more; block b is at b mod count.
    private var powers: [Float]
    private var median = RunningMedian()
    /// Blocks whose power is known, and blocks that are out.
    private var known = 0
    private var done = 0

    init(band: Band) {
        blockSamples = max(1, band.samples(seconds: PulseLimiter.blockSeconds))
        halfSpan = band.samples(seconds: PulseLimiter.halfSpanSeconds) / blockSamples
        powers = [Float](repeating: 0, count: 2 * halfSpan + 2)
    }

    /// Samples that are taken in before one is out, at most: with so many of silence, all that came before is out.
    var delaySamples: Int { (halfSpan + 1) * blockSamples }

    mutating func process(_ input: ArraySlice<Complex>, into output: inout [Complex]) {
        pending += input
        var used = 0
        while pending.count - used >= (known - done + 1) * blockSamples {
            measure(pending[used + (known - done) * blockSamples..<used + (known - done + 1) * blockSamples])
            guard known - done > halfSpan else { continue }
            release(pending[used..<used + blockSamples], into: &output)
            used += blockSamples
        }
        if used > 0 { pending.removeFirst(used) }
    }

    /// Takes up the power of the next block.
    private mutating func measure(_ block: ArraySlice<Complex>) {
        let power = Kernels.energy(block)
        powers[known % powers.count] = power
        median.insert(power)
        known += 1
    }

    /// Puts the oldest block out.
    private mutating func release(_ block: ArraySlice<Complex>, into output: inout [Complex]) {
        let level = median.median()
        let power = self.power(done)
        let bound = Thresholds.guards.bangRatio * level
        // A bang's skirts lie in the blocks beside it.
        let isBang = power > bound || power > level && max(self.power(done - 1), self.power(done + 1)) > bound
        if isBang {
            let weight = level / power
            for sample in block { output.append(sample * weight) }
        } else {
            output += block
        }
        done += 1
        if done > halfSpan { median.remove(self.power(done - 1 - halfSpan)) }
    }

    /// Silence before the first block.
    private func power(_ block: Int) -> Float { block < 0 ? 0 : powers[block % powers.count] }
}
