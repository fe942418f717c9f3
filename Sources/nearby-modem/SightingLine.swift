import AcousticModem
import AudioIO
import CommandOutput
import LiveModem

/// A token that was heard in a recording, as one line for people or as JSON.
struct SightingLine {
    var path: AudioPath
    var sighting: ChannelSighting
    var channelCount: Int

    var text: String {
        let report = sighting.report
        var words = ["\(path)", "\(FixedPoint.text(report.startSeconds, places: 3)) s"]
        words += TokenWords.of(report)
        if channelCount > 1 { words.append("channel \(sighting.channel)") }
        return words.joined(separator: "  ")
    }

    var json: String {
        var object = JSONObject()
        object.add("file", "\(path)")
        TokenWords.add(sighting.report, to: &object)
        object.add("channel", sighting.channel)
        return object.description
    }
}
