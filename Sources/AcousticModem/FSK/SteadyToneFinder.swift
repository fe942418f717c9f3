import Glibc
import Signal

/// A finder of sinusoids that sound throughout a block. It adds them up: the strongest first, each in the
/// rest without the others.
///
///     spectrum │▂▃▂▄┃▂▃▂│ a line far over its neighbours: sixteenths of the block say whether it
///                         sounds in all of them; early and late ones, its exact frequency; all, its
///                         amplitude and phase
///
/// A symbol that is sent again also makes such a line, but it never sounds in most of a block.
struct SteadyToneFinder: BlockFinder {
    /// The least number of symbols in a block: enough that no single tone of a frame fills most of it.
    private static let blockSymbols = 8
    /// The number of parts of a block, and of those in which a tone must be the same.
    private static let parts = 16
    private static let leastParts = 6
    /// The number of tones that are taken out of a block, and of lines that are looked at for each.
    private static let mostTones = 8
    private static let mostLooks = 6

    let blockCount: Int
    private let window: [Float]
    private let transform: FFT
    /// The part of the block without the silence before or after a recording.
    private var sound = 0..<0
    /// The block without the tones that were found, and these tones.
    private var rest: ScratchBuffer<Complex>
    private var tones: ScratchBuffer<Complex>
    private var spectrum: ScratchBuffer<Complex>
    private var powers: ScratchBuffer<Float>
    private var turns: ScratchBuffer<Complex>

    /// A sinusoid: its value at the block's first sample, and its turn from one sample to the next.
    private struct Line {
        var amplitude: Complex
        var radiansPerSample: Double
    }

    init(plan: TonePlan) {
        var blockCount = 64
        while blockCount < SteadyToneFinder.blockSymbols * plan.symbolSamples { blockCount *= 2 }
        self.blockCount = blockCount
        window = BlockSubtractor<SteadyToneFinder>.window(blockCount)
        transform = FFT(count: blockCount)
        rest = ScratchBuffer(count: blockCount, repeating: .zero)
        tones = rest
        spectrum = rest
        turns = rest
        powers = ScratchBuffer(count: blockCount, repeating: 0)
    }

    mutating func find(in block: UnsafePointer<Complex>) -> UnsafePointer<Complex>? {
        let rest = self.rest.claim()
        let tones = self.tones.claim()
        rest.copy(from: block, count: blockCount)
        sound = soundRange(rest)
        var count = 0
        while count < SteadyToneFinder.mostTones, findPeaks(), let line = firstSteadyLine() {
            if count == 0 { tones.update(repeating: .zero, count: blockCount) }
            subtract(line)
            count += 1
        }
        return count > 0 ? UnsafePointer(tones) : nil
    }

    /// Swaps everything: a finder holds nothing beyond a block.
    mutating func exchangeScratch(with other: inout SteadyToneFinder) { swap(&self, &other) }

    /// Returns true if a line stands out; its power is then left in `powers`, and 0 in all other bins.
    private mutating func findPeaks() -> Bool {
        let rest = self.rest.claim()
        let spectrum = self.spectrum.claim()
        let powers = self.powers.claim()
        let turns = self.turns.claim()
        Kernels.scale(rest, by: window, blockCount, into: turns)
        transform.forward(turns, into: spectrum)
        _ = Kernels.powers(spectrum, blockCount, into: powers)
        // The end of the bins that are done.
        var end = 0
        for stretch in ToneBound.suspects(powers, blockCount) {
            let first = stretch * ToneBound.stretch
            guard let bound = ToneBound.bound(powers + first) else { continue }
            (powers + end).update(repeating: 0, count: first - end)
            end = first + ToneBound.stretch
            for bin in first..<end where powers[bin] <= bound { powers[bin] = 0 }
        }
        guard end > 0 else { return false }
        (powers + end).update(repeating: 0, count: blockCount - end)
        return true
    }

    private mutating func firstSteadyLine() -> Line? {
        let powers = self.powers.claim()
        for _ in 0..<SteadyToneFinder.mostLooks {
            let bin = Kernels.indexOfMaximum(powers, blockCount)
            guard powers[bin] > 0 else { return nil }
            if let line = steadyLine(bin) { return line }
            // The bins beside it belong to the same line.
            for other in bin - 1...bin + 1 { powers[(other + blockCount) % blockCount] = 0 }
        }
        return nil
    }

    private func soundRange(_ block: UnsafePointer<Complex>) -> Range<Int> {
        var (first, last) = (0, blockCount)
        while first < last, block[first] == .zero { first += 1 }
        while last > first, block[last - 1] == .zero { last -= 1 }
        return first..<last
    }

    /// Returns the line at a bin if it is one sinusoid from the beginning to the end of the sound in the
    /// block.
    private mutating func steadyLine(_ bin: Int) -> Line? {
        let spectrum = self.spectrum.claim()
        let own = spectrum[bin].power
        let below = spectrum[(bin + blockCount - 1) % blockCount].power
        let above = spectrum[(bin + 1) % blockCount].power
        // A Hann window's line between two bins has magnitudes in the ratio (1 + δ) : (2 − δ).
        let side = (max(below, above) / own).squareRoot()
        let offset = Double((2 * side - 1) / (side + 1)) * (above > below ? 1 : -1)
        var radians = 2 * Double.pi / Double(blockCount) * (Double(bin) + offset)
        turnBack(by: radians)
        let turns = self.turns.claim()
        let partCount = blockCount / SteadyToneFinder.parts
        let firstPart = (sound.lowerBound + partCount - 1) / partCount
        let parts = firstPart..<max(firstPart, sound.upperBound / partCount)
        guard parts.count >= SteadyToneFinder.leastParts else { return nil }
        let half = parts.count / 2
        var (early, all, late, energy) = (Complex.zero, Complex.zero, Complex.zero, Float(0))
        for part in parts {
            var sum = Complex.zero
            for i in part * partCount..<(part + 1) * partCount { sum += turns[i] }
            energy += sum.power
            all += sum
            if part < parts.lowerBound + half { early += sum }
            if part >= parts.upperBound - half { late += sum }
        }
        guard all.power > Thresholds.guards.sinusoidShare * Float(parts.count) * energy else { return nil }
        let left = late * early.conjugate
        radians += Double(atan2(left.im, left.re)) / Double((parts.count - half) * partCount)
        turnBack(by: radians)
        var (sum, weight) = (Complex.zero, Float(0))
        for i in sound {
            sum += turns[i] * window[i]
            weight += window[i]
        }
        return Line(amplitude: sum * (1 / weight), radiansPerSample: radians)
    }

    /// Turns the rest of the block back by a frequency; the result is in `turns`.
    private mutating func turnBack(by radians: Double) {
        let turns = self.turns.claim()
        turns.copy(from: rest.claim(), count: blockCount)
        Kernels.rotate(turns, blockCount, from: 0, by: -radians)
    }

    private mutating func subtract(_ line: Line) {
        let rest = self.rest.claim()
        let tones = self.tones.claim()
        let turns = self.turns.claim()
        turns.update(repeating: line.amplitude, count: blockCount)
        Kernels.rotate(turns, blockCount, from: 0, by: line.radiansPerSample)
        for i in sound {
            rest[i] = rest[i] - turns[i]
            tones[i] += turns[i] * window[i]
        }
    }
}
