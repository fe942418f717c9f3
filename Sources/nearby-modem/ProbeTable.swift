import CommandOutput
import Sounding
import SoundingOutlook

/// A sounding's report as lines for people.
struct ProbeTable {
    let report: SoundingReport
    let outlooks: [ProfileOutlook]

    var lines: [String] {
        [
            ("high band", bandText), ("passes", passText), ("play at", levelText), ("steps", stepsText),
            ("noise", noiseText), ("echoes", echoText), ("recording", recordingText),
        ].map { TextTable.padded($0.0, 11) + $0.1 } + [""] + profileLines + ["", verdict]
    }

    /// One line that says what to do.
    var verdict: String {
        let working = outlooks.filter { $0.verdict == .works }
        if !working.isEmpty, let level = report.recommendedLevelDBFS {
            let names = working.map(\.profile.name).joined(separator: ", ")
            return "yes: \(names) at \(Self.number(level, 0)) dBFS"
        }
        if outlooks.contains(where: { $0.verdict == .marginal }) {
            return
                "marginal: received here, but with nothing in reserve; move closer, or play louder if undistorted"
        }
        guard report.snrDecibels != nil else {
            return "no: nothing of 18.5-20 kHz arrives; this speaker or microphone does not pass it"
        }
        return "no: 18.5-20 kHz arrives too faint for the noise"
    }

    private var bandText: String {
        guard let band = report.tokenBandDecibels else {
            return report.snrDecibels == nil
                ? "18.5-20 kHz is not received" : "18.5-20 kHz is received; 16-17 kHz is hidden in noise"
        }
        return "18.5-20 kHz arrives at \(Self.signed(band, 1)) dB relative to 16-17 kHz"
    }

    private var passText: String {
        let edges = [("6", report.edges6Hz), ("10", report.edges10Hz)].compactMap { decibels, edge in
            edge.map {
                "\(Self.number($0.lowerBound / 1000, 1))-\(Self.number($0.upperBound / 1000, 1)) kHz within \(decibels) dB"
            }
        }
        return edges.isEmpty ? "not known: hidden in noise" : edges.joined(separator: ", ")
    }

    private var levelText: String {
        guard let level = report.recommendedLevelDBFS else {
            return "not known: no level was received in 18.5-20 kHz"
        }
        if let drift = report.driftDecibels, abs(drift) > 1 {
            return
                "\(Self.number(level, 0)) dBFS, not certain: the level changes by itself, by an automatic gain or a hand"
        }
        let isLoudest = level == report.steps.last?.levelDBFS
        return "\(Self.number(level, 0)) dBFS, "
            + (isLoudest ? "the loudest there is: nothing is distorted" : "louder is distorted or held down")
    }

    private var stepsText: String {
        report.steps.map { step in
            let level = Self.number(step.levelDBFS, 0)
            guard let gain = step.gainDecibels else { return "\(level): not heard" }
            return "\(level): \(Self.signed(gain, 1)) dB\(step.isLinear ? "" : " (not linear)")"
        }.joined(separator: ", ")
    }

    private var noiseText: String {
        guard report.noiseDBFS > -150 else { return "none: the recording is silent before the sounding" }
        let noise = "\(Self.number(report.noiseDBFS, 1)) dBFS in 18.5-20 kHz"
        return noise + (report.snrDecibels.map { "; SNR \(Self.number($0, 1)) dB at that level" } ?? "")
    }

    private var echoText: String {
        guard report.snrDecibels != nil else { return "not known" }
        var words = ["delay spread \(Self.number(1000 * report.delaySpreadSeconds, 1)) ms"]
        if let drr = report.directToReverberantDecibels {
            words.append(report.rt60Seconds.map { "RT60 \(Self.number($0, 2)) s" } ?? "RT60 hidden in noise")
            words.append("direct over reverberant \(Self.signed(drr, 1)) dB")
        } else {
            words.append("reverberation hidden in noise")
        }
        return words.joined(separator: ", ")
    }

    private var recordingText: String {
        var words = [
            "sounding at \(Self.number(report.startSeconds, 3)) s",
            "clock \(Self.signed(report.clockSkewPPM, 1)) ppm",
            "peak \(Self.number(report.peak, 3))",
        ]
        if report.clippedSampleCount > 0 { words.append("\(report.clippedSampleCount) samples clipped") }
        if let drift = report.driftDecibels, abs(drift) > 1 {
            words.append("level changed by \(Self.signed(drift, 1)) dB during the sounding")
        }
        return words.joined(separator: ", ")
    }

    private var profileLines: [String] {
        let head = ["profile", "Eb/N0", "needs", "margin", "verdict"]
        let rows = [head + (hasRange ? ["works to"] : [])] + outlooks.map(cells(of:))
        return TextTable(rows).lines
    }

    private func cells(of outlook: ProfileOutlook) -> [String] {
        let needed = outlook.thresholdDecibels + outlook.roomDecibels
        return [
            outlook.profile.name, outlook.ebN0Decibels.map { "\(Self.number($0, 1)) dB" } ?? "-",
            "\(Self.number(needed, 1)) dB", outlook.marginDecibels.map { "\(Self.signed($0, 1)) dB" } ?? "-",
            outlook.verdict.rawValue,
        ] + (hasRange ? [outlook.rangeMeters.map { "\(Self.number($0, 1)) m" } ?? "-"] : [])
    }

    private var hasRange: Bool { outlooks.contains { $0.rangeMeters != nil } }

    private static func number(_ value: Double, _ places: Int) -> String {
        FixedPoint.text(value, places: places)
    }

    private static func signed(_ value: Double, _ places: Int) -> String {
        let text = number(value, places)
        return text.hasPrefix("-") ? text : "+\(text)"
    }
}
