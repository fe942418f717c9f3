import AcousticModem
import ArgumentParser
import AudioIO
import CommandOutput
import Plotting

struct Plot: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw a recording and the frames in it.",
        discussion: """
            A spectrogram of 16 to 22 kHz, the frames that are heard outlined in it, and under it how the power of \
            each arrived over delay: the direct path and its echoes. A PNG with -o, colours in the terminal with \
            --terminal. Exits with 0 when a token was heard, with 1 when none was: there is a picture all the same.
            """)

    @Argument(help: ArgumentHelp("The recording, - for standard input.", valueName: "file"))
    var file: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The PNG to write, - for standard output.", valueName: "file"))
    var output: String?

    @Flag(help: "Draw in the terminal instead.")
    var terminal = false

    @Option(help: "A waveform to listen for, again for more; auto for all, ggwave for all of ggwave's.")
    var profile: [ProfileChoice] = [.auto]

    @Option(help: ArgumentHelp("Only this channel, the first is 1. (default: all)", valueName: "n"))
    var channel: Int?

    @OptionGroup var rate: RateOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("Where to begin.", valueName: "seconds"))
    var from = 0.0

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp("How much to draw. (default: all)", valueName: "seconds"))
    var duration: Double?

    func validate() throws {
        guard (output != nil) != terminal else { throw ValidationError("say either -o or --terminal") }
        guard !(try ProfileChoice.profiles(profile).contains { $0.name == WaveformProfile.fsk2.name }) else {
            throw ValidationError("plot shows 16 to 22 kHz and its frames; decode hears fsk2")
        }
        try Limits.check("--channel", channel, 1 ... .max)
        try Limits.check("--from", from, 0...1e9, "seconds")
        try Limits.check("--for", duration, 0.01...1e9, "seconds")
    }

    func run() throws {
        let path = AudioPath(file)
        let source = try WAVReader(path, rateHz: rate.hertz)
        let scan = try RecordingScan(
            source, profiles: ProfileChoice.profiles(profile), channel: channel, fromSeconds: from,
            forSeconds: duration)
        let picture = try output.map { try PictureFile(AudioPath($0), inputs: [path]) }
        let plot: RecordingPlot
        do {
            defer { source.reportFaults() }
            plot = try scan.run()
        }
        if let picture {
            try picture.write(PicturePlot.draw(plot))
        } else {
            for line in TerminalDisplay.plot.lines(plot) { try StandardOutput.show(line) }
        }
        guard plot.frames.isEmpty else { return }
        StandardError.write("\(path): no token heard")
        throw ExitCode(ExitStatus.nothingHeard.rawValue)
    }
}
