import Glibc
import Signal

/// Takes steady tones out of the baseband: a squeaking power supply must not deafen the receiver.
///
///     power │      ┃            ┃ far over the median of its neighbours: a tone
///           │ ▂▁▂▃▁┃▂▁▃▂▁▂▁▂▁▃▁▂
///           └──────┴─────────────▶ 512 bins of 4.7 Hz
///
/// A frame's own spectrum is as ragged as noise, so that what is taken from it is little. Blocks overlap by half under
/// a Hann window, whose halves add up to 1: where nothing stands out the output is the input, sample for sample.
/// Shapes: in `[n]` → out `[≈ n]`, the same positions, half a block later. Streaming.
package struct ToneExciser: Sendable {
    static let blockCount = 512
    private static let hop = blockCount / 2
    private static let neighbours = 32
    /// Power over the median of the neighbours that no noise and no frame has: 20 times their mean, as powers of noise are exponentially
    /// distributed.
    private static let medianRatio: Float = 20 / 0.693
    /// The least of it over the mean of all others in its stretch, tones beside it included.
    private static let suspectRatio: Float = 6
    /// Bins kept whole at the ends of the band, where the decimator's slope is.
    private static let edgeBins = 10

    private let fft = FFT(count: blockCount)
    private let window: [Float]
    private var pending: [Complex]
    /// What the last block takes from the samples that the next one shares.
    private var tail: [Complex]
    private var isTailEmpty = true
    /// Samples that stand before the first.
    private var leadCount = hop
    private var block = ScratchBuffer(count: blockCount, repeating: Complex.zero)
    private var spectrum = ScratchBuffer(count: blockCount, repeating: Complex.zero)
    private var powers = ScratchBuffer(count: blockCount, repeating: Float(0))

    package init() {
        let count = Double(ToneExciser.blockCount)
        window = (0..<ToneExciser.blockCount).map { Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / count)) }
        pending = [Complex](repeating: .zero, count: ToneExciser.hop)
        tail = [Complex](repeating: .zero, count: ToneExciser.hop)
    }

    package mutating func process(_ input: ArraySlice<Complex>, into output: inout [Complex]) {
        pending += input
        var used = 0
        while pending.count - used >= ToneExciser.blockCount {
            let block = self.block.claim()
            let spectrum = self.spectrum.claim()
            for i in 0..<ToneExciser.blockCount { block[i] = pending[used + i] * window[i] }
            fft.forward(block, into: spectrum)
            let tones = keepTones(spectrum)
            if tones == 0 && isTailEmpty {
                output += pending[used + leadCount..<used + ToneExciser.hop]
            } else {
                if tones > 0 {
                    fft.inverse(spectrum, into: block)
                } else {
                    block.update(repeating: .zero, count: ToneExciser.blockCount)
                }
                for i in leadCount..<ToneExciser.hop {
                    output.append(pending[used + i] - tail[i] - block[i])
                }
                for i in 0..<ToneExciser.hop { tail[i] = block[ToneExciser.hop + i] }
                isTailEmpty = tones == 0
            }
            leadCount = 0
            used += ToneExciser.hop
        }
        if used > 0 { pending.removeFirst(used) }
    }

    /// Leaves of a spectrum only its tones, scaled for the inverse transform; returns how many bins they fill.
    private mutating func keepTones(_ spectrum: UnsafeMutablePointer<Complex>) -> Int {
        let count = ToneExciser.blockCount
        let powers = self.powers.claim()
        _ = Kernels.powers(spectrum, count, into: powers)
        let edge = count / 2 - ToneExciser.edgeBins..<count / 2 + ToneExciser.edgeBins
        var stands = false
        for first in stride(from: 0, to: count, by: ToneExciser.neighbours) {
            // Most often the greatest is too little over the mean to be worth a median.
            let greatest = Kernels.maximum(powers + first, ToneExciser.neighbours)
            let others = Kernels.sum(powers + first, ToneExciser.neighbours) - greatest
            if greatest * Float(ToneExciser.neighbours) < ToneExciser.suspectRatio * others
                || isUnder(greatest, powers + first)
            {
                (powers + first).update(repeating: 0, count: ToneExciser.neighbours)
                continue
            }
            let bound = ToneExciser.medianRatio * median(powers + first)
            for bin in first..<first + ToneExciser.neighbours {
                let isTone = powers[bin] > bound && bound > 0 && !edge.contains(bin)
                powers[bin] = isTone ? 1 : 0
                stands = stands || isTone
            }
        }
        guard stands else { return 0 }
        // The bins beside a tone hold the foot of it.
        var tones = 0
        for bin in 0..<count {
            if powers[bin] + powers[(bin + 1) % count] + powers[(bin + count - 1) % count] > 0 {
                tones += 1
                spectrum[bin] *= 1 / Float(count)
            } else {
                spectrum[bin] = .zero
            }
        }
        return tones
    }

    /// Whether a power is no tone beside `neighbours` powers: what is to be told of it without the median's value.
    private func isUnder(_ power: Float, _ powers: UnsafePointer<Float>) -> Bool {
        Kernels.count(powers, ToneExciser.neighbours, by: ToneExciser.medianRatio, below: power)
            <= ToneExciser.neighbours / 2
    }

    /// Of `neighbours` powers.
    private func median(_ powers: UnsafePointer<Float>) -> Float {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: ToneExciser.neighbours) { sorted in
            for i in sorted.indices {
                let value = powers[i]
                var place = i
                while place > 0 && sorted[place - 1] > value {
                    sorted[place] = sorted[place - 1]
                    place -= 1
                }
                sorted[place] = value
            }
            return sorted[ToneExciser.neighbours / 2]
        }
    }
}
