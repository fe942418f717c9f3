import AcousticModem
import ArgumentParser
import AudioIO
import CommandOutput
import LiveModem

struct Listen: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hear tokens as they sound.",
        discussion: """
            Captures from an ALSA device until Ctrl-C, and prints one line for every token as it is heard. A device that \
            goes away is waited for. Exits with 0 when a token was heard, with 1 when none was, with 74 when --record or \
            --snip could not be written to the end; it goes on listening then.
            """)

    @Option(help: ArgumentHelp("An ALSA PCM; `devices` lists them.", valueName: "pcm"))
    var device = "default"

    @Option(
        help:
            "A waveform to listen for, again for more; auto for all but dsss-wide and fsk2, ggwave for all of ggwave's."
    )
    var profile: [ProfileChoice] = [.auto]

    @OptionGroup var agreement: AgreementOptions

    @Option(help: ArgumentHelp("Channels to capture, 1 to 8.", valueName: "count"))
    var channels = 1

    @Option(help: ArgumentHelp("Listen to this channel only, the first is 1. (default: all)", valueName: "n"))
    var channel: Int?

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Option(name: .customLong("for"), help: ArgumentHelp("Stop after so long.", valueName: "seconds"))
    var seconds: Double?

    @Option(help: ArgumentHelp("End when so many tokens were heard.", valueName: "number"))
    var count: Int?

    @Option(help: ArgumentHelp("Keep all that was captured, as WAV.", valueName: "file"))
    var record: String?

    @Option(help: ArgumentHelp("Keep the seconds around each token, as WAV files.", valueName: "folder"))
    var snip: String?

    @Option(help: "With --snip: also keep what was given up at this stage.")
    var snipRejected: CandidateTrace.Stage?

    @Flag(help: "Tell on standard error at the end what each stage of the receiver counted.")
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
            throw ValidationError("--snip-rejected needs --snip and a folder")
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
        var request = PCMRequest.capture
        request.channelCount = channels
        let capture = try ALSACapture(device, request)
        let traces = snipRejected.map { TraceCollector(stage: $0) }
        let path = AudioPath.device(device)
        let held = try RecordingReader.held(
            by: capture.format, path, of: profiles(), channel: channel)
        let receiver = MultichannelReceiver(
            profiles: held, format: capture.format, channel: channel, observer: traces)
        var listening = try Listening(
            capture: capture, path: path, receiver: receiver, traces: traces, isJSON: json, side: side,
            count: count)
        let heardCount = try listening.run(seconds: seconds)
        listening.report(isFull: stats)
        if !listening.isComplete { throw ExitCode(ExitStatus.inputOutput.rawValue) }
        if heardCount == 0 { throw ExitCode(ExitStatus.nothingHeard.rawValue) }
    }
}
