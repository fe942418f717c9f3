import AudioIO
import CommandOutput
import Glibc
import LiveModem
import Signal

/// A line on the terminal while sound comes in. It shows the level, and the spectrum between 16 and 22 kHz.
///
///     −18.2 dBFS  ▃▁▁▁▁▁▂▂▃▃▄▅▇█▇▇▇▆▅▃▂▁▁▁  16–22 kHz
struct LiveDisplay {
    private static let columns = 48
    private static let bandHz = 16_000.0...22_000.0
    /// The levels of the lowest and the highest bar, in dB below a full-scale sine.
    private static let shownDBFS = -100.0 ... -40.0
    private static let pauseSeconds = 0.1

    private let isShown = StandardError.isTerminal
    private var spectrum: BandSpectrum
    /// The samples of the last window.
    private var samples: [Float] = []
    private var peak: Float = 0
    private var drawnAt = -1.0
    private var isDrawn = false

    init(format: AudioFormat) {
        spectrum = BandSpectrum(sampleRateHz: Double(format.sampleRateHz))
    }

    /// Takes the first channel's next samples, and draws ten times a second.
    mutating func update(_ block: AudioBlock) {
        guard isShown, block.frameCount > 0 else { return }
        block.withChannel(0) { fresh in
            for sample in fresh { peak = max(peak, abs(sample)) }
            samples += fresh
            samples.removeFirst(max(0, samples.count - BandSpectrum.window))
        }
        let now = WallClock.monotonic
        guard now - drawnAt >= LiveDisplay.pauseSeconds, samples.count == BandSpectrum.window
        else { return }
        drawnAt = now
        isDrawn = true
        StandardError.show("\r\(line())\u{1B}[K")
        peak = 0
    }

    /// Removes the line, before other text is written.
    mutating func clear() {
        if isDrawn { StandardError.show("\r\u{1B}[K") }
        isDrawn = false
    }

    private mutating func line() -> String {
        let level = 20 * log10(max(Double(peak), 1e-6))
        let bars = columnLevels().map { LiveDisplay.bar($0) }.joined()
        return "\(FixedPoint.text(level, places: 1)) dBFS  \(bars)  16–22 kHz"
    }

    /// Returns the strongest bin of each column, in dB below a full-scale sine.
    private mutating func columnLevels() -> [Double] {
        let powers = spectrum.powers(samples[...])
        let bins = spectrum.bins(LiveDisplay.bandHz)
        return (0..<LiveDisplay.columns).map { column in
            let first = bins.lowerBound + column * bins.count / LiveDisplay.columns
            let end = bins.lowerBound + (column + 1) * bins.count / LiveDisplay.columns
            return 10 * log10(Double(max(powers[first..<max(end, first + 1)].max() ?? 0, 1e-12)))
        }
    }

    private static func bar(_ level: Double) -> String {
        let bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        let share = (level - shownDBFS.lowerBound) / (shownDBFS.upperBound - shownDBFS.lowerBound)
        return bars[min(bars.count - 1, max(0, Int(share * Double(bars.count))))]
    }
}
