import AcousticModem
import CommandOutput
import LiveModem

/// A token that was heard live, as one line for people or as JSON.
struct HeardLine {
    var sighting: ChannelSighting
    /// The time at which its frame began, in seconds since 1970.
    var moment: Double
    /// The level in its band while it sounded; `nil` if it is no longer known.
    var levelDBFS: Double?
    var channelCount: Int

    var text: String {
        var words = [WallClock.text(moment)] + TokenWords.of(sighting.report)
        if let levelDBFS { words.append("level \(FixedPoint.text(levelDBFS, places: 1)) dBFS") }
        if channelCount > 1 { words.append("channel \(sighting.channel)") }
        return words.joined(separator: "  ")
    }

    var json: String {
        var object = JSONObject()
        object.add("time", WallClock.text(moment))
        TokenWords.add(sighting.report, to: &object)
        object.add("durationSeconds", sighting.report.durationSeconds, places: 6)
        object.add("levelDBFS", levelDBFS ?? .nan, places: 2)
        object.add("channel", sighting.channel)
        return object.description
    }
}
