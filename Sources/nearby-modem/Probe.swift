import ArgumentParser
import AudioIO
import CommandOutput
import Plotting
import Sounding
import SoundingOutlook

struct Probe: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure whether a speaker and a microphone can carry tokens.",
        discussion: """
            Plays a sounding, a test signal of six seconds of sweeps from 16 to 22 kHz that many people can hear, \
            and records it. Or write it with --write, play it on any device while another records, and pass the \
            recording to --file. Prints the response in 18.5-20 kHz, the highest undistorted level, noise and \
            reverberation, and which profiles work with 6 dB in reserve; with --distance, also their range in the \
            open. The exit code is 0 if a profile works, 1 if none does, and 65 if the recording holds no sounding.
            """)

    @Option(help: ArgumentHelp("Play the sounding on this ALSA PCM. (default: default)", valueName: "pcm"))
    var playback: String?

    @Option(help: ArgumentHelp("Record it from this ALSA PCM. (default: default)", valueName: "pcm"))
    var capture: String?

    @Option(
        help: ArgumentHelp("Analyse this recording of a sounding; - for standard input.", valueName: "file"))
    var file: String?

    @OptionGroup var rate: RateOptions

    @Option(help: ArgumentHelp("Write the sounding to this file; - for standard output.", valueName: "file"))
    var write: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Distance between speaker and microphone during the recording.", valueName: "meters"))
    var distance: Double?

    @Flag(help: "Print one JSON object instead of a table.")
    var json = false

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Draw response, noise and echoes to this PNG; - for standard output.", valueName: "file"))
    var output: String?

    func validate() throws {
        guard file == nil || write == nil else {
            throw ValidationError("give either --file or --write, not both")
        }
        guard (playback == nil && capture == nil) || (file == nil && write == nil) else {
            throw ValidationError(
                "--playback and --capture do not go with --file and --write: those use no sound device")
        }
        guard rate.hertz == nil || file != nil else { throw ValidationError("--rate needs --file") }
        if write != nil {
            guard output == nil, distance == nil, !json else {
                throw ValidationError("--write measures nothing: leave --distance, --json and -o out")
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
            throw CommandFailure(.unavailable, "interrupted before anything was measured; run probe again")
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
