import AcousticModem
import CommandOutput
import LiveModem

/// The words about a frame in a plot.
struct FrameWords {
    var sighting: ChannelSighting
    /// The time from the recording's start.
    var startSeconds: Double
    var channelCount: Int

    private static let bytesInLabel = 8
    private static let bytesInLine = 16

    private static func text(_ value: Float, _ places: Int) -> String {
        FixedPoint.text(Double(value), places: places)
    }

    /// The frame's label, such as "48656c6c6f  dsss  SNR 3.2 dB"; a long token is cut short.
    var label: String {
        let report = sighting.report
        let isLong = report.token.count > FrameWords.bytesInLabel
        let token =
            TokenDisplay.hex(Array(report.token.prefix(FrameWords.bytesInLabel))) + (isLong ? "..." : "")
        return "\(token)  \(report.profile.name)  SNR \(FrameWords.text(report.snrDecibels, 1)) dB"
    }

    /// The time and profile, the whole token, and the reception, in lines.
    var details: [String] {
        let report = sighting.report
        var lines = ["\(FixedPoint.text(startSeconds, places: 3)) s  \(report.profile.name)"]
        for first in stride(from: 0, to: report.token.count, by: FrameWords.bytesInLine) {
            let part = report.token[first..<min(first + FrameWords.bytesInLine, report.token.count)]
            lines.append(TokenDisplay.hex(Array(part)))
        }
        let ebN0 = FrameWords.text(report.ebN0Decibels, 1)
        lines.append("SNR \(FrameWords.text(report.snrDecibels, 1)) dB  Eb/N0 \(ebN0) dB")
        var last = ["\(FrameWords.text(report.speedMetersPerSecond, 2)) m/s", "lane \(report.lane)"]
        if channelCount > 1 { last.append("channel \(sighting.channel)") }
        if report.repeats > 1 { last.append("\(report.repeats) frames") }
        lines.append(last.joined(separator: "  "))
        return lines
    }
}
