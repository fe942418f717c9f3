import AcousticModem
import AudioIO

/// A token that was heard, as one line: for people or as JSON.
struct SightingLine {
    var path: AudioPath
    var sighting: RecordingDecoder.Sighting
    var channelCount: Int

    var text: String {
        let report = sighting.report
        var words = [
            "\(path)", "\(FixedPoint.text(report.startSeconds, places: 3)) s", report.profile.name,
            TokenDisplay.hex(report.token),
        ]
        if let text = TokenDisplay.text(report.token) { words.append("\"\(text)\"") }
        words.append("SNR \(FixedPoint.text(Double(report.snrDecibels), places: 1)) dB")
        words.append("Eb/N0 \(FixedPoint.text(Double(report.ebN0Decibels), places: 1)) dB")
        words.append("\(FixedPoint.text(Double(report.speedMetersPerSecond), places: 2)) m/s")
        if report.repeats > 1 { words.append("\(report.repeats) frames combined") }
        if !report.isChecked { words.append("unchecked") }
        if channelCount > 1 { words.append("channel \(sighting.channel)") }
        return words.joined(separator: "  ")
    }

    var json: String {
        let report = sighting.report
        var object = JSONObject()
        object.add("file", "\(path)")
        object.add("token", TokenDisplay.hex(report.token))
        object.add("text", TokenDisplay.text(report.token))
        object.add("profile", report.profile.name)
        object.add("startSeconds", report.startSeconds, places: 6)
        object.add("snrDecibels", Double(report.snrDecibels), places: 2)
        object.add("ebN0Decibels", Double(report.ebN0Decibels), places: 2)
        object.add("speedMetersPerSecond", Double(report.speedMetersPerSecond), places: 3)
        object.add("repeats", report.repeats)
        object.add("lane", report.lane)
        object.add("checked", report.isChecked)
        object.add("channel", sighting.channel)
        return object.description
    }
}
