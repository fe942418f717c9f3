import AcousticModem
import ArgumentParser
import AudioIO
import CommandOutput
import Plotting

struct Plot: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw a recording and the frames in it.",
        discussion: """
            Draws a spectrogram of 16 to 22 kHz with the received frames outlined, and below it the power of each \
            frame over delay: the direct path and its echoes. Writes a PNG with -o, or coloured characters with \
            --terminal. The exit code is 0 if a token was found and 1 if none was; the picture is drawn in both \
            cases.
            """)

    @Argument(help: ArgumentHelp("Recording to draw; - for standard input.", valueName: "file"))
    var file: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("PNG file to write; - for standard output.", valueName: "file"))
    var output: String?

    @Flag(help: "Draw in the terminal instead of a PNG.")
    var terminal = false

    @Option(
        help:
            "Profile to receive; may be repeated. auto: all but dsss-wide and fsk2; ggwave: all of ggwave's.")
    var profile: [ProfileChoice] = [.auto]

    @Option(help: ArgumentHelp("Draw this channel only; the first is 1. (default: all)", valueName: "n"))
    var channel: Int?

    @OptionGroup var rate: RateOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("Start of the part to draw.", valueName: "seconds"))
    var from = 0.0

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp("Length of the part to draw. (default: all)", valueName: "seconds"))
    var duration: Double?

    func validate() throws {
        guard (output != nil) != terminal else { throw ValidationError("give either -o or --terminal") }
        guard !(try ProfileChoice.profiles(profile).contains { $0.name == WaveformProfile.fsk2.name }) else {
            throw ValidationError(
                "plot shows only 16 to 22 kHz, without fsk2; use 'nearby-modem decode' for fsk2")
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
        StandardError.write("\(path): no token found")
        throw ExitCode(ExitStatus.nothingHeard.rawValue)
    }
}
