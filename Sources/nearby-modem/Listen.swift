import AcousticModem
import ArgumentParser
import AudioIO
import CommandOutput
import LiveModem

struct Listen: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Receive tokens from a microphone.",
        discussion: """
            Captures from an ALSA device until Ctrl-C, and prints one line per token as soon as it is received. If \
            the device is unplugged, the program waits until it is back. The exit code is 0 if a token was received, \
            1 if none was, and 74 if a file of --record or --snip could not be written; the program goes on \
            listening after such an error.
            """)

    @Option(help: ArgumentHelp("ALSA PCM to use; 'nearby-modem devices' lists them.", valueName: "pcm"))
    var device = "default"

    @Option(
        help:
            "Profile to receive; may be repeated. auto: all but dsss-wide and fsk2; ggwave: all of ggwave's."
    )
    var profile: [ProfileChoice] = [.auto]

    @OptionGroup var agreement: AgreementOptions

    @Option(
        help: ArgumentHelp(
            """
            Number of channels to capture, 1 to 8. (default: all that the device has, up to 8; 2 of one that \
            mixes)
            """, valueName: "count"))
    var channels: Int?

    @Option(
        help: ArgumentHelp("Receive from this channel only; the first is 1. (default: all)", valueName: "n"))
    var channel: Int?

    @OptionGroup var receiving: ReceiverArguments

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Option(name: .customLong("for"), help: ArgumentHelp("Stop after this time.", valueName: "seconds"))
    var seconds: Double?

    @Option(help: ArgumentHelp("Stop after this many tokens.", valueName: "number"))
    var count: Int?

    @Option(help: ArgumentHelp("Save all captured sound to this WAV file.", valueName: "file"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Save the sound around each token to a WAV file in this folder.", valueName: "folder"))
    var snip: String?

    @Option(
        help: ArgumentHelp(
            "With --snip: also save the candidate frames that were rejected at this stage.",
            valueName: "stage"))
    var snipRejected: CandidateTrace.Stage?

    @Flag(help: "Print the counters of the receiver's stages on standard error at the end.")
    var stats = false

    func validate() throws {
        _ = try profiles()
        try Limits.check("--channels", channels, 1...8)
        try Limits.check("--channel", channel, 1 ... .max)
        try Limits.checkDuration("--for", seconds)
        try Limits.check("--count", count, 1 ... .max)
        guard record != "-" else {
            throw ValidationError(
                "--record - would mix sound with the lines of tokens; name a file or a pipe")
        }
        guard snip != nil || snipRejected == nil else {
            throw ValidationError("--snip-rejected needs --snip FOLDER")
        }
    }

    private func profiles() throws -> [WaveformProfile] {
        try ProfileChoice.profiles(profile, agreement.agreement)
    }

    func run() throws {
        // The opening of a pipe waits until somebody reads it, and a signal must end that wait.
        Interruption.unblock()
        let side = try SideOutputs(record: record, snip: snip)
        Interruption.watch()
        var request = PCMRequest.microphones
        request.channelCount = channels
        let capture = try ALSACapture(device, request)
        let traces = snipRejected.map { TraceCollector(stage: $0) }
        let path = AudioPath.device(device)
        let held = try RecordingReader.held(
            by: capture.format, path, of: profiles(), channel: channel)
        // Nobody else holds the receiver: a second holder would have all of it copied.
        var listening = try Listening(
            capture: capture, path: path,
            receiver: MultichannelReceiver(
                profiles: held, format: capture.format, channel: channel, options: receiving.options,
                observer: traces),
            traces: traces, isJSON: json, side: side, count: count)
        let heardCount = try listening.run(seconds: seconds)
        listening.report(isFull: stats)
        if !listening.isComplete { throw ExitCode(ExitStatus.inputOutput.rawValue) }
        if heardCount == 0 { throw ExitCode(ExitStatus.nothingHeard.rawValue) }
    }
}
