import AcousticModem
import CommandOutput

/// The words that all lines about a token share, wherever it was heard.
enum TokenWords {
    /// Returns the words from the profile to the check.
    static func of(_ report: DecodeReport) -> [String] {
        var words = [report.profile.name, TokenDisplay.hex(report.token)]
        if let text = TokenDisplay.text(report.token) { words.append("\"\(text)\"") }
        words.append("SNR \(FixedPoint.text(Double(report.snrDecibels), places: 1)) dB")
        words.append("Eb/N0 \(FixedPoint.text(Double(report.ebN0Decibels), places: 1)) dB")
        words.append("\(FixedPoint.text(Double(report.speedMetersPerSecond), places: 2)) m/s")
        if report.repeats > 1 { words.append("\(report.repeats) frames combined") }
        if !report.isChecked { words.append("unchecked") }
        if report.isRenewal { words.append("renewed") }
        return words
    }

    /// Adds the fields from the token to the check.
    static func add(_ report: DecodeReport, to object: inout JSONObject) {
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
        if report.isRenewal { object.add("renewal", true) }
    }
}
