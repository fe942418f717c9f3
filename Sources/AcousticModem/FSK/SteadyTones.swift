import Signal

/// Takes sinusoids that stay out of the baseband: one in the band must not cost a frame the tones beside it.
///
/// Blocks of some ten symbols overlap by half under a Hann window, whose halves add up to 1: where no tone stays, the
/// output is the input, sample for sample.
/// Shapes: in `[n]` → out `[≈ n]`, the same positions, a block later at most. Streaming.
struct SteadyTones: Sendable {
    /// Of a block, at least: enough that none of a frame's tones is most of them.
    private static let blockSymbols = 8

    private var finder: SteadyToneFinder
    private var pending: [Complex]
    /// What the last block takes from the samples that the next one shares.
    private var tail: [Complex]
    /// Samples that stand before the first.
    private var leadCount: Int

    private var hop: Int { finder.blockCount / 2 }

    init(plan: TonePlan) {
        var count = 64
        while count < SteadyTones.blockSymbols * plan.symbolSamples { count *= 2 }
        finder = SteadyToneFinder(blockCount: count)
        pending = [Complex](repeating: .zero, count: count / 2)
        tail = pending
        leadCount = count / 2
    }

    /// Samples after which all that came before is out.
    var flushCount: Int { 2 * finder.blockCount }

    mutating func process(_ input: ArraySlice<Complex>, into output: inout [Complex]) {
        pending += input
        var used = 0
        while pending.count - used >= finder.blockCount {
            let tones = pending.withUnsafeBufferPointer { finder.tones(of: $0.baseAddress! + used) }
            let place = output.count - leadCount
            output.append(contentsOf: repeatElement(.zero, count: hop - leadCount))
            output.withUnsafeMutableBufferPointer { output in
                pending.withUnsafeBufferPointer { pending in
                    for i in leadCount..<hop { output[place + i] = pending[used + i] - tail[i] - tones[i] }
                }
            }
            tail.replaceSubrange(0..., with: UnsafeBufferPointer(start: tones + hop, count: hop))
            leadCount = 0
            used += hop
        }
        if used > 0 { pending.removeFirst(used) }
    }
}
