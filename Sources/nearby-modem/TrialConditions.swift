import AcousticModem
import ChannelSim

/// What a trial's recording goes through. One value for a whole curve.
struct TrialConditions: Sendable {
    var profile: WaveformProfile
    var path: ChannelOptions
    var programme: Surroundings.Programme?
    var measured: MeasuredRoom?
    var tokenByteCount = 8
    var repeats = 1
    /// Between two frames.
    var gapSeconds = WaveformProfile.standardGapSeconds
    /// Of the first sender; the others' follow.
    var lane = 0
    var senderCount = 1
    /// The last sender's level under the first's.
    var spreadDecibels = 0.0
    /// Nil: 48 kHz.
    var recordedAtHz: Int?
    var chunks = ChunksArgument.all
    /// Noise before all that, by which a receiver learns what noise is like.
    var leadSeconds = 0.0

    /// Silence before and after the frames, between which the start is drawn.
    static let slackSeconds = 5.0

    var frameSeconds: Double { profile.durationSeconds(tokenByteCount: tokenByteCount) }
    var sampleRateHz: Int { recordedAtHz ?? Int(Receiver.sampleRateHz) }

    /// The command line that gives this, for tables.
    var description: String {
        var words = [
            "--profile", profile.name, "--token-bytes", "\(tokenByteCount)", "--repeats", "\(repeats)",
        ]
        if gapSeconds != WaveformProfile.standardGapSeconds { words += ["--gap", "\(gapSeconds)"] }
        words += path.motionWords + ["--lane", "\(lane)"]
        if senderCount > 1 { words += ["--senders", "\(senderCount)", "--spread", "\(spreadDecibels)"] }
        words += path.otherWords
        if let recordedAtHz { words += ["--rate", "\(recordedAtHz)"] }
        if leadSeconds > 0 { words += ["--lead", "\(leadSeconds)"] }
        if chunks != .all { words += ["--chunks", chunks.description] }
        return words.joined(separator: " ")
    }
}
