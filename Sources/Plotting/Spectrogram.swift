import AudioIO
import Signal

/// The power of sound over time and frequency, in a bounded number of columns however long the sound is.
///
/// It takes Hann windows of about 21 ms. Columns begin fine; each time there are too many, neighbours become
/// one, which keeps the greater power at each frequency: a frame shorter than a column still shows.
/// Streaming; memory does not grow. Channels are averaged, as power.
package struct Spectrogram {
    private let format: AudioFormat
    private let frames: Range<Int>
    private let channels: [Int]
    private let fft: FFT
    private let bins: ClosedRange<Int>
    /// The window, scaled so that a sine of amplitude 1 has power 1. `[windowCount]`
    private let window: [Float]

    private var position = 0
    /// The latest samples of each channel: from half a window before the shown part on, with silence before
    /// the sound.
    private var pending: [[Float]]
    /// The samples from `frames.lowerBound` to the middle of the next window.
    private var nextCentre = 0
    private var hopSamples: Int
    private var columnSamples: Int
    /// The powers. `[column][bin]`
    private var columns: [[Float]] = []
    private var scratch: [Complex]

    static let mostColumns = 2400

    /// - Parameters:
    ///   - channels: the numbers of the channels, from 1.
    ///   - frames: the part of the sound to show, counted from the first block's first frame.
    package init(format: AudioFormat, channels: [Int], bandHz: ClosedRange<Double>, frames: Range<Int>) {
        (self.format, self.channels, self.frames) = (format, channels, frames)
        let rateHz = Double(format.sampleRateHz)
        var windowCount = 64
        while Double(windowCount) < rateHz * 0.015 { windowCount *= 2 }
        // The transform has twice the length: bins then lie close enough to be joined by straight lines.
        fft = FFT(count: 2 * windowCount)
        let binHz = rateHz / Double(fft.count)
        let highest = min(Int((bandHz.upperBound / binHz).rounded(.up)), fft.count / 2)
        bins = min(Int(bandHz.lowerBound / binHz), highest)...highest
        window = Spectrogram.hann(windowCount)
        let silence = [Float](repeating: 0, count: windowCount / 2 - min(windowCount / 2, frames.lowerBound))
        pending = channels.map { _ in silence }
        hopSamples = windowCount / 16
        columnSamples = hopSamples
        scratch = [Complex](repeating: .zero, count: fft.count)
    }

    private static func hann(_ count: Int) -> [Float] {
        let fft = FFT(count: count)
        // The window 1/2 − 1/2 cos is the transform of three lines.
        var lines = [Complex](repeating: .zero, count: count)
        (lines[0], lines[1], lines[count - 1]) = (Complex(0.5), Complex(-0.25), Complex(-0.25))
        fft.inverse(&lines)
        let gain = 2 / lines.reduce(0) { $0 + $1.re }
        return lines.map { $0.re * gain }
    }

    /// The frames that windows around the shown frames reach.
    private var reached: Range<Int> {
        let half = window.count / 2
        let end = frames.upperBound.addingReportingOverflow(half)
        return max(0, frames.lowerBound - half)..<(end.overflow ? .max : end.partialValue)
    }

    /// Takes the next frames; those that are not to be shown are skipped.
    package mutating func add(_ block: AudioBlock) {
        let used = reached.clamped(to: position..<position + block.frameCount)
        for (index, channel) in channels.enumerated() where !used.isEmpty {
            block.withChannel(channel - 1) { samples in
                pending[index] += samples[used.lowerBound - position..<used.upperBound - position]
            }
        }
        position += block.frameCount
        transform()
    }

    /// Ends the sound, with silence after it, and returns the grid.
    package mutating func finish() -> SpectrogramGrid {
        let missing = min(frames.upperBound, position) + window.count / 2 - min(reached.upperBound, position)
        for index in pending.indices { pending[index] += [Float](repeating: 0, count: max(0, missing)) }
        transform()
        let rateHz = Double(format.sampleRateHz)
        let shown = frames.clamped(to: 0..<max(position, 1))
        return SpectrogramGrid(
            startSeconds: Double(shown.lowerBound) / rateHz, endSeconds: Double(shown.upperBound) / rateHz,
            columnSeconds: Double(columnSamples) / rateHz,
            firstHz: Double(bins.lowerBound) * rateHz / Double(fft.count),
            binHz: rateHz / Double(fft.count), powers: columns)
    }

    private mutating func transform() {
        guard let available = pending.first?.count else { return }
        var used = 0
        while used + window.count <= available {
            put(power(at: used), at: nextCentre / columnSamples)
            used += hopSamples
            nextCentre += hopSamples
            if columns.count >= Spectrogram.mostColumns { halve() }
        }
        for index in pending.indices { pending[index].removeFirst(used) }
    }

    private mutating func power(at first: Int) -> [Float] {
        var total = [Float](repeating: 0, count: bins.count)
        for samples in pending {
            for i in window.indices { scratch[i] = Complex(samples[first + i] * window[i]) }
            for i in window.count..<scratch.count { scratch[i] = .zero }
            fft.forward(&scratch)
            for (row, bin) in bins.enumerated() { total[row] += scratch[bin].power / Float(pending.count) }
        }
        return total
    }

    private mutating func put(_ powers: [Float], at column: Int) {
        guard column < columns.count else { return columns.append(powers) }
        for row in powers.indices { columns[column][row] = max(columns[column][row], powers[row]) }
    }

    /// Halves the number of columns. While windows overlap much it keeps every other one, as if they had been
    /// that far apart from the start; later it takes the greater of two.
    private mutating func halve() {
        let overlapsMuch = hopSamples < window.count / 2
        columns = stride(from: 0, to: columns.count, by: 2).map { first in
            guard !overlapsMuch, first + 1 < columns.count else { return columns[first] }
            return zip(columns[first], columns[first + 1]).map { max($0, $1) }
        }
        columnSamples *= 2
        if overlapsMuch { hopSamples *= 2 }
    }
}
