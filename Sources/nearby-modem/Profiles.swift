import AcousticModem
import ArgumentParser
import CommandOutput
import Glibc

struct Profiles: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a table of the profiles, in Markdown.",
        discussion: "The peak-to-average power ratio (PAPR) is measured on a generated frame.")

    func run() throws {
        try StandardOutput.write(
            "| profile | band | token | 8 bytes on air | waveform | PAPR | 90 % heard at Eb/N0 |")
        try StandardOutput.write("|---|---|---|---|---|---|---|")
        for profile in WaveformProfile.all + [.dsssWide] {
            let cells = [
                "`\(profile.name)`", profile.bandDescription, "1–\(profile.tokenByteCounts.upperBound) bytes",
                "\(FixedPoint.text(profile.durationSeconds(), places: 2)) s", waveform(of: profile),
                "\(FixedPoint.text(try peakToAverageDecibels(profile), places: 1)) dB",
                profile.thresholdDecibels.map { "\(FixedPoint.text($0, places: 1)) dB" } ?? "–",
            ]
            try StandardOutput.write("| \(cells.joined(separator: " | ")) |")
        }
    }

    private func waveform(of profile: WaveformProfile) -> String {
        switch profile.kind {
        case .ggwave(let ggwave):
            "\(ggwave.waveform.nibblesPerChunk) of \(ggwave.waveform.binCount) tones, \(FixedPoint.text(48_000 / Double(ggwave.waveform.samplesPerChunk), places: 1)) /s"
        case .uart(let uart): "\(FixedPoint.text(uart.baud, places: 0)) baud, two tones"
        case .dsss(let dsss): "\(dsss.chipCount) chips, \(FixedPoint.text(dsss.chipRateHz, places: 0)) /s"
        case .fsk(let fsk):
            "\(fsk.symbolCount) of 64 tones, \(FixedPoint.text(1000 * fsk.symbolSeconds, places: 1)) ms"
        }
    }

    /// Returns the ratio for a whole frame at 48 kHz, with its ramps; a steady tone has 3.0 dB.
    private func peakToAverageDecibels(_ profile: WaveformProfile) throws -> Double {
        let waveform = try Transmitter(profile: profile).waveform(of: Array(0..<8))
        let peak = waveform.reduce(Float(0)) { max($0, abs($1)) }
        let power = waveform.reduce(0.0) { $0 + Double($1 * $1) } / Double(waveform.count)
        return 10 * log10(Double(peak * peak) / power)
    }
}
