import AcousticModem
import ChannelSim

/// The conditions of a trial's recording. One value serves a whole curve.
struct TrialConditions: Sendable {
    var profile: WaveformProfile
    var path: ChannelOptions
    var programme: Surroundings.Programme?
    var measured: MeasuredRoom?
    var tokenByteCount = 8
    var repeats = 1
    /// The silence between two frames.
    var gapSeconds = WaveformProfile.standardGapSeconds
    /// True if two strong frames precede the frame, which is to renew their token.
    var renewsToken = false
    /// True if four repeats are searched as one, as by `ReceiverOptions`.
    var joinsFourRepeats = false
    /// The lane of the first sender; the others' lanes follow.
    var lane = 0
    var senderCount = 1
    /// The time within which several senders begin; `nil` for as long as any two overlap.
    var windowSeconds: Double?
    /// The number of microphones, and the distance from one to the next on the line from the sender.
    var microphoneCount = 1
    var spacingMeters = 0.0
    /// The level of the last sender below the first's.
    var spreadDecibels = 0.0
    /// The rate of the recording; `nil` for 48 kHz.
    var recordedAtHz: Int?
    var chunks = ChunksArgument.all
    /// The noise before everything else, from which a receiver learns what noise is like.
    var leadSeconds = 0.0

    /// The silence before and after the frames together; the start is drawn within it.
    static let slackSeconds = 5.0

    var frameSeconds: Double { profile.durationSeconds(tokenByteCount: tokenByteCount) }
    var receiverOptions: ReceiverOptions {
        ReceiverOptions(renewsTokens: renewsToken, joinsFourRepeats: joinsFourRepeats)
    }
    var sampleRateHz: Int { recordedAtHz ?? Int(Receiver.sampleRateHz) }

    /// The command line for these conditions, for tables.
    var description: String {
        var words = [
            "--profile", profile.name, "--token-bytes", "\(tokenByteCount)", "--repeats", "\(repeats)",
        ]
        if gapSeconds != WaveformProfile.standardGapSeconds { words += ["--gap", "\(gapSeconds)"] }
        if renewsToken { words.append("--renew") }
        if joinsFourRepeats { words.append("--four-repeats") }
        words += path.motionWords + ["--lane", "\(lane)"]
        if senderCount > 1 { words += ["--senders", "\(senderCount)", "--spread", "\(spreadDecibels)"] }
        if let windowSeconds { words += ["--window", "\(windowSeconds)"] }
        if microphoneCount > 1 { words += ["--microphones", "\(microphoneCount)"] }
        if spacingMeters > 0 { words += ["--microphone-spacing", "\(spacingMeters)"] }
        words += path.otherWords
        if let recordedAtHz { words += ["--rate", "\(recordedAtHz)"] }
        if leadSeconds > 0 { words += ["--lead", "\(leadSeconds)"] }
        if chunks != .all { words += ["--chunks", chunks.description] }
        return words.joined(separator: " ")
    }
}
