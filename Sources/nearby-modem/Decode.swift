import AcousticModem
import ArgumentParser
import AudioIO
import CommandOutput

extension RawPCM.Encoding: ExpressibleByArgument {}
extension CandidateTrace.Stage: ExpressibleByArgument {}

struct Decode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find the tokens in recordings.",
        discussion: """
            Reads WAV, FLAC, MP3, Ogg and other sound files, or headerless samples with --raw; - is standard input. \
            Sound beyond the length that the header states is read too. Prints one line per token; from a pipe, as \
            soon as it is decoded. The exit code is 0 if a token was found and 1 if none was. A file that cannot be \
            read is skipped, and the highest error code is the exit code.

            A line of --trace begins with the reason why a candidate frame was rejected: faint (its pilots were too \
            weak), crowded (too many others were stronger), unlikely (a first look found too little evidence), \
            undecoded (no checksum matched), unaffordable (others had used up the limit on decoding effort).
            """)

    @Argument(help: ArgumentHelp("Recordings to decode.", valueName: "file"))
    var files: [String]

    @Option(
        help:
            "Profile to receive; may be repeated. auto: all but dsss-wide and fsk2; ggwave: all of ggwave's."
    )
    var profile: [ProfileChoice] = [.auto]

    @OptionGroup var agreement: AgreementOptions

    @Option(
        help: ArgumentHelp("Receive from this channel only; the first is 1. (default: all)", valueName: "n"))
    var channel: Int?

    @Option(help: ArgumentHelp("Read headerless little-endian samples of this format.", valueName: "format"))
    var raw: RawPCM.Encoding?

    @OptionGroup var rate: RateOptions

    @Option(
        help: ArgumentHelp("With --raw: number of interleaved channels. (default: 1)", valueName: "count"))
    var channels: Int?

    @OptionGroup var receiving: ReceiverArguments

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Flag(help: "Print the counters of the receiver's stages on standard error.")
    var stats = false

    @Option(
        help: ArgumentHelp(
            "Print on standard error the candidate frames that were rejected at this stage.",
            valueName: "stage"))
    var trace: CandidateTrace.Stage?

    func validate() throws {
        _ = try ProfileChoice.profiles(profile, agreement.agreement)
        try Limits.check("--channel", channel, 1 ... .max)
        guard raw != nil || channels == nil else {
            throw ValidationError("--channels needs --raw; the header of a sound file states its channels")
        }
        try Limits.check("--channels", channels, 1...1024)
    }

    func run() throws {
        var sightingCount = 0
        var worst: ExitStatus?
        for file in files {
            do {
                sightingCount += try decode(AudioPath(file))
            } catch {
                guard let failure = CommandFailure(error), !failure.isOfStandardOutput else { throw error }
                failure.report()
                worst = [worst, failure.status].compactMap { $0 }.max { $0.rawValue < $1.rawValue }
            }
        }
        if let worst { throw ExitCode(worst.rawValue) }
        if sightingCount == 0 { throw ExitCode(ExitStatus.nothingHeard.rawValue) }
    }

    /// Prints the tokens of one recording and returns how many there were.
    private func decode(_ path: AudioPath) throws -> Int {
        let description = raw.map {
            RawPCM(encoding: $0, sampleRateHz: rate.hertz ?? 48_000, channelCount: channels ?? 1)
        }
        let traces = trace.map { TraceCollector(stage: $0) }
        let recording = try RecordingReader(
            profiles: ProfileChoice.profiles(profile, agreement.agreement), channel: channel,
            options: receiving.options, observer: traces
        ) { () throws(AudioIOError) in try WAVReader(path, raw: description, rateHz: rate.hertz) }
        let count: Int
        do {
            defer { recording.reportFaults() }
            count = try tell(recording, path, traces)
        }
        report(path, recording, sightingCount: count)
        return count
    }

    /// Prints tokens as they are found, and returns how many there were.
    private func tell(
        _ recording: RecordingReader, _ path: AudioPath, _ traces: TraceCollector?
    ) throws -> Int {
        var count = 0
        var progress = Progress(total: recording.format.frameCount)
        defer { progress.clear() }
        while let sightings = try recording.next() {
            // A pipe may bring nothing to print for hours.
            try StandardOutput.checkReader()
            if !sightings.isEmpty { progress.clear() }
            for sighting in sightings {
                let line = SightingLine(
                    path: path, sighting: sighting, channelCount: recording.format.channelCount)
                try StandardOutput.write(json ? line.json : line.text)
            }
            count += sightings.count
            for lost in traces?.take() ?? [] { StandardError.write("\(path): \(lost.line)") }
            progress.update(done: recording.framesRead, seconds: recording.secondsRead)
        }
        return count
    }

    private func report(_ path: AudioPath, _ recording: RecordingReader, sightingCount: Int) {
        if stats {
            for counter in recording.statistics.counters {
                StandardError.write("\(path): \(counter.name): \(counter.count)")
            }
        }
        if let remark = recording.remarkOnPeak { StandardError.write("\(path): \(remark)") }
        guard sightingCount == 0 else { return }
        let reason = recording.reasonForSilence.map { "; \($0)" } ?? ""
        StandardError.write("\(path): no token found\(reason)")
    }
}
