import Signal

/// A filter that removes the one sender whose envelope has long been constant: foreign MSK, a
/// frequency-modulated whine.
///
///     r  = A e^{jφ} + s            A constant, s a frame and the noise, much less
///     |r| ≈ A + Re(s e^{−jφ})
///     r − A r/|r| ≈ (s + s* e^{2jφ}) / 2
///
/// A quarter of the frame's power is left, and as much of its mirror image, turned by the sender's phases:
/// noise. So a frame 9 dB under such a sender stands as high as the rest of it. A tenth of the sender's
/// amplitude is left in: then more of the frame is left than of its image. Where the sender is no louder than
/// all else, nothing is gained: it must stand out for ten seconds, longer than any frame, without a dip as
/// between two frames, while no loud frame is heard. Sound that is louder than the sender passes. Shapes: in
/// `[n]` → out `[≈ n]`, the same positions, 75 ms later. Streaming.
struct EnvelopeCanceller: Sendable {
    private static let blockSeconds = 0.05
    /// The time on either side of a sample over which its amplitude is averaged.
    private static let halfSpanSeconds = 0.025
    /// A frame's ramps stay under a tenth of its power for longer than this.
    private static let dipSeconds = 0.004
    private static let smoothing: Float = 1.0 / 16
    /// The rise of the recent amplitude from block to block while something louder stays, and the rate at
    /// which it follows all else.
    private static let rise: Float = 1.0025
    private static let following: Float = 1.0 / 40
    /// The share of the sender's amplitude that is taken out. Of 400 `fsk` frames 6 dB beneath MSK in a room
    /// 386 are heard with 1, 393 with 0.95, 398 here, and 396 with 0.85.
    private static let share: Float = 0.9

    private let blockSamples: Int
    private let halfSpan: Int
    private let dipSamples: Int
    private let patienceBlocks: Int
    /// The samples from half a span before the next block on.
    private var pending: [Complex]
    private var powers: ScratchBuffer<Float>
    private var steadiness: Float = 0.5
    /// The number of blocks that have been steady without a break, ``patienceBlocks`` at most.
    private var steadyBlocks = 0
    private var amplitude: Float = 0

    init(band: Band) {
        dipSamples = band.samples(seconds: EnvelopeCanceller.dipSeconds)
        blockSamples = band.samples(seconds: EnvelopeCanceller.blockSeconds) / dipSamples * dipSamples
        halfSpan = band.samples(seconds: EnvelopeCanceller.halfSpanSeconds)
        patienceBlocks = band.samples(seconds: Thresholds.guards.patienceSeconds) / blockSamples
        pending = [Complex](repeating: .zero, count: halfSpan)
        powers = ScratchBuffer(count: blockSamples + 2 * halfSpan, repeating: 0)
    }

    /// The samples of silence after which all earlier input is out.
    var delaySamples: Int { blockSamples + halfSpan }

    /// Notes that a frame was heard that is a good part of what sounds: it is no foreign sender.
    mutating func heardLoudFrame() { steadyBlocks = 0 }

    mutating func process(_ input: ArraySlice<Complex>, into output: inout [Complex]) {
        pending += input
        let count = blockSamples + 2 * halfSpan
        var used = 0
        while pending.count - used >= count {
            let powers = self.powers.claim()
            pending.withUnsafeBufferPointer {
                _ = Kernels.powers($0.baseAddress! + used, count, into: powers)
            }
            judge(powers + halfSpan)
            let first = used + halfSpan
            if steadyBlocks < patienceBlocks || !follow(powers) {
                output += pending[first..<first + blockSamples]
            } else {
                cancel(first, powers, into: &output)
            }
            used += blockSamples
        }
        if used > 0 { pending.removeFirst(used) }
    }

    /// Decides whether a block is as steady as those before it.
    private mutating func judge(_ powers: UnsafePointer<Float>) {
        let sum = Kernels.sum(powers, blockSamples)
        let squares = Kernels.dot(powers, powers, blockSamples)
        guard squares > 0, squares.isFinite else { return begin() }
        steadiness +=
            EnvelopeCanceller.smoothing * (sum * sum / (Float(blockSamples) * squares) - steadiness)
        if steadiness < Thresholds.guards.keptSteadiness || dips(powers, below: sum / Float(blockSamples)) {
            return begin()
        }
        if steadiness >= Thresholds.guards.foreignSteadiness {
            steadyBlocks = min(steadyBlocks + 1, patienceBlocks)
        }
    }

    private mutating func begin() { (steadyBlocks, amplitude) = (0, 0) }

    private func dips(_ powers: UnsafePointer<Float>, below mean: Float) -> Bool {
        let bound = Thresholds.guards.dipShare * mean * Float(dipSamples)
        for first in stride(from: 0, to: blockSamples, by: dipSamples) {
            if Kernels.sum(powers + first, dipSamples) < bound { return true }
        }
        return false
    }

    /// Replaces powers with magnitudes. Returns true if the sound is still about as loud as the steady
    /// sender.
    private mutating func follow(_ powers: UnsafeMutablePointer<Float>) -> Bool {
        let count = blockSamples + 2 * halfSpan
        for i in 0..<count { powers[i] = powers[i].squareRoot() }
        let mean = Kernels.sum(powers, count) / Float(count)
        if amplitude > 0, mean > Thresholds.guards.greatestRise * amplitude {
            amplitude *= EnvelopeCanceller.rise
            return false
        }
        amplitude += (amplitude > 0 ? EnvelopeCanceller.following : 1) * (mean - amplitude)
        return true
    }

    private func cancel(_ first: Int, _ magnitudes: UnsafePointer<Float>, into output: inout [Complex]) {
        let span = 2 * halfSpan + 1
        var sum = Kernels.sum(magnitudes, span - 1)
        let share = EnvelopeCanceller.share / Float(span)
        for i in 0..<blockSamples {
            sum += magnitudes[i + span - 1]
            let own = magnitudes[i + halfSpan]
            let weight = own > 0 ? 1 - share * sum / own : 0
            output.append(pending[first + i] * weight)
            sum -= magnitudes[i]
        }
    }
}
