import Glibc
import Signal

/// Takes steady tones out of the baseband: a squeaking power supply must not deafen the receiver.
///
///     power │      ┃            ┃ far over the median of its neighbours: a tone, in this block alone
///           │ ▂▁▂▃▁┃▂▁▃▂▁▂▁▂▁▃▁▂  or less far, but for seconds: ``StandingLines``
///           └──────┴─────────────▶ bins of 4.7 Hz
///
/// A frame's own spectrum is as ragged as noise, so that what is taken from it is little. Blocks overlap by half under
/// a Hann window, whose halves add up to 1: where nothing stands out the output is the input, sample for sample.
/// Shapes: in `[n]` → out `[≈ n]`, the same positions, half a block later. Streaming.
package struct ToneExciser: Sendable {
    private static let blockSeconds = 0.2134
    private static let neighbours = 32
    /// Power over the median of the neighbours that no noise and no frame has: 20 times their mean, as powers of noise are exponentially
    /// distributed.
    private static let medianRatio: Float = 20 / 0.693
    /// The least of it over the mean of all others in its stretch, tones beside it included.
    private static let suspectRatio: Float = 6
    /// Bins at either end of the band, where the decimator's slope is.
    private static let edgeBins = 10

    let blockCount: Int
    private let hop: Int
    /// Bins that stay whole.
    private let edge: Range<Int>
    /// Where tones carry the frames, only what stands for longer than they do goes.
    private let takesBriefTones: Bool
    private let fft: FFT
    private let window: [Float]
    private var lines: StandingLines
    private var pending: [Complex]
    /// The last block takes this from the samples that the next one shares.
    private var tail: [Complex]
    private var isTailEmpty = true
    /// Samples that stand before the first.
    private var leadCount: Int
    private var block: ScratchBuffer<Complex>
    private var spectrum: ScratchBuffer<Complex>
    private var powers: ScratchBuffer<Float>
    private var shares: ScratchBuffer<Float>

    /// - Parameter takesBriefTones: whether a tone in one block alone goes, too.
    package init(band: Band, takesBriefTones: Bool = true) {
        blockCount = band.transformSamples(seconds: ToneExciser.blockSeconds)
        self.takesBriefTones = takesBriefTones
        hop = blockCount / 2
        edge = blockCount / 2 - ToneExciser.edgeBins..<blockCount / 2 + ToneExciser.edgeBins
        leadCount = hop
        fft = FFT.shared(count: blockCount)
        let turn = 2 * Double.pi / Double(blockCount)
        window = (0..<blockCount).map { Float(0.5 - 0.5 * cos(turn * Double($0))) }
        lines = StandingLines(blockCount: blockCount)
        pending = [Complex](repeating: .zero, count: hop)
        tail = pending
        block = ScratchBuffer(count: blockCount, repeating: .zero)
        spectrum = block
        powers = ScratchBuffer(count: blockCount, repeating: 0)
        shares = powers
    }

    package mutating func process(_ input: ArraySlice<Complex>, into output: inout [Complex]) {
        pending += input
        var used = 0
        while pending.count - used >= blockCount {
            let block = self.block.claim()
            let spectrum = self.spectrum.claim()
            for i in 0..<blockCount { block[i] = pending[used + i] * window[i] }
            fft.forward(block, into: spectrum)
            let stands = findTones(UnsafePointer(spectrum))
            if !stands && isTailEmpty {
                output += pending[used + leadCount..<used + hop]
            } else {
                takeOut(stands, block, spectrum)
                for i in leadCount..<hop { output.append(pending[used + i] - tail[i] - block[i]) }
                for i in 0..<hop { tail[i] = block[hop + i] }
                isTailEmpty = !stands
            }
            leadCount = 0
            used += hop
        }
        if used > 0 { pending.removeFirst(used) }
    }

    /// Leaves in `block` what is to be taken out of it.
    private mutating func takeOut(
        _ stands: Bool, _ block: UnsafeMutablePointer<Complex>, _ spectrum: UnsafeMutablePointer<Complex>
    ) {
        guard stands else { return block.update(repeating: .zero, count: blockCount) }
        let shares = self.shares.claim()
        for bin in 0..<blockCount { spectrum[bin] *= shares[bin] / Float(blockCount) }
        fft.inverse(spectrum, into: block)
    }

    /// Leaves in `shares` the share of each bin that is to be taken out. Whether there is any.
    private mutating func findTones(_ spectrum: UnsafePointer<Complex>) -> Bool {
        let powers = self.powers.claim()
        let shares = self.shares.claim()
        _ = Kernels.powers(spectrum, blockCount, into: powers)
        lines.follow(powers)
        shares.update(repeating: 0, count: blockCount)
        let hasBrief = takesBriefTones && findBriefTones(powers, into: shares)
        let hasLines = lines.raise(shares)
        if hasBrief || hasLines { for bin in edge { shares[bin] = 0 } }
        return hasBrief || hasLines
    }

    /// Puts 1 where there is a tone in this block, and beside it, where its foot is. Whether there is any.
    private func findBriefTones(
        _ powers: UnsafePointer<Float>, into shares: UnsafeMutablePointer<Float>
    ) -> Bool {
        let width = ToneExciser.neighbours
        var stands = false
        for first in stride(from: 0, to: blockCount, by: width) {
            // Most often the greatest is too little over the mean to be worth a median.
            let greatest = Kernels.maximum(powers + first, width)
            let others = Kernels.sum(powers + first, width) - greatest
            if greatest * Float(width) < ToneExciser.suspectRatio * others
                || isUnder(greatest, powers + first)
            {
                continue
            }
            let bound = ToneExciser.medianRatio * Selection.median(powers + first, width)
            guard bound > 0 else { continue }
            for bin in first..<first + width where powers[bin] > bound && !edge.contains(bin) {
                for near in bin - 1...bin + 1 { shares[(near + blockCount) % blockCount] = 1 }
                stands = true
            }
        }
        return stands
    }

    /// Whether a power is no tone beside `neighbours` powers: what is to be told of it without the median's value.
    private func isUnder(_ power: Float, _ powers: UnsafePointer<Float>) -> Bool {
        Kernels.count(powers, ToneExciser.neighbours, by: ToneExciser.medianRatio, below: power)
            <= ToneExciser.neighbours / 2
    }
}
