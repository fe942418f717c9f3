import ArgumentParser
import AudioIO
import CommandOutput
import Plotting
import Sounding
import SoundingOutlook

struct Probe: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell whether a speaker and a microphone are fit for tokens.",
        discussion: """
            Plays a sounding and records it: six seconds of sweeps from 16 to 22 kHz, audible to many. Or write it with \
            --write, play it on any device while another records, and give that recording to --file. Says how well \
            18.5-20 kHz \
            passes, how loud it may be played, what noise and echoes there are, and which waveform works, with 6 dB in \
            reserve; with --distance, up to where, in the open. Exits with 0 when a waveform works, with 1 when none \
            does, with 65 when no sounding is in the recording.
            """)

    @Option(help: ArgumentHelp("Play the sounding on this ALSA PCM. (default: default)", valueName: "pcm"))
    var playback: String?

    @Option(help: ArgumentHelp("And record it from this one. (default: default)", valueName: "pcm"))
    var capture: String?

    @Option(help: ArgumentHelp("The recording of a sounding, - for standard input.", valueName: "file"))
    var file: String?

    @OptionGroup var rate: RateOptions

    @Option(help: ArgumentHelp("Write the sounding to be played, - for standard output.", valueName: "file"))
    var write: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("From the speaker to the microphone as it was recorded.", valueName: "meters"))
    var distance: Double?

    @Flag(help: "One JSON object instead of a table.")
    var json = false

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("A PNG of response, noise and echoes, - for standard output.", valueName: "file"))
    var output: String?

    func validate() throws {
        guard file == nil || write == nil else { throw ValidationError("say either --file or --write") }
        guard (playback == nil && capture == nil) || (file == nil && write == nil) else {
            throw ValidationError(
                "--playback and --capture are for a live sounding, without --file and --write")
        }
        guard rate.hertz == nil || file != nil else { throw ValidationError("--rate goes with --file") }
        if write != nil {
            guard output == nil, distance == nil, !json else {
                throw ValidationError("--write goes without --distance, --json and -o")
            }
        }
        try Limits.check("--distance", distance, 0.01...1000, "meters")
    }

    func run() throws {
        if let write {
            let signal = SoundingSignal()
            return try SoundFile.writeMono(
                signal.samples, to: AudioPath(write), rateHz: signal.sampleRateHz, inputs: [])
        }
        // An unusable picture file must be found before a sounding is played for nothing.
        let picture = try output.map {
            try PictureFile(AudioPath($0), inputs: [file].compactMap { $0 }.map { AudioPath($0) })
        }
        if let file {
            let path = AudioPath(file)
            let (samples, rateHz) = try SoundFile.readMono(path, rateHz: rate.hertz)
            return try tell(samples, rateHz: rateHz, of: path, to: picture)
        }
        Interruption.watch()
        let live = LiveSounding(playback: playback ?? "default", capture: capture ?? "default")
        let (samples, rateHz) = try live.record()
        guard !Interruption.hasCome else {
            throw CommandFailure(.unavailable, "interrupted; nothing was measured: begin again")
        }
        try tell(samples, rateHz: rateHz, of: .device(live.capture), to: picture)
    }

    /// Writes the report and the picture of a recording, and sets the exit code.
    func tell(_ samples: [Float], rateHz: Double, of path: AudioPath, to picture: PictureFile?) throws {
        let report: SoundingReport
        do throws(SoundingError) {
            report = try SoundingAnalysis(samples, sampleRateHz: rateHz).report()
        } catch {
            throw CommandFailure(.badData, "\(path): \(error.description)")
        }
        let outlooks = ProfileOutlook.all(report, distanceMeters: distance)
        if let picture {
            try picture.write(SoundingPlot.draw(report, title: "\(path)"))
        }
        if json {
            let object = ProbeJSON(path: path, report: report, outlooks: outlooks, distanceMeters: distance)
            try StandardOutput.write(object.text)
        } else if output != "-" {
            for line in ProbeTable(report: report, outlooks: outlooks).lines {
                try StandardOutput.write(line)
            }
        }
        guard outlooks.contains(where: { $0.verdict == .works }) else {
            throw ExitCode(ExitStatus.nothingHeard.rawValue)
        }
    }
}
