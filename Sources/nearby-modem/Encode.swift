import AcousticModem
import ArgumentParser
import AudioIO
import CommandOutput

struct Encode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn a token into sound.",
        discussion: """
            Writes a WAV file, a FLAC file if the name ends in .flac, or a WAV stream with -o -.

            With --mix the token is added to a programme. Format, speaker layout, other chunks and all samples \
            without a token stay the same, bit for bit. Unless --level sets it, the token's level follows the \
            programme's treble, from -38 to -26 dBFS, as in the C library. The low-frequency channel gets no token.
            """)

    @OptionGroup var token: TokenOptions

    @Option(help: "Profile to send with.")
    var profile: ProfileName = .nearby(.dsss)

    @OptionGroup var agreement: AgreementOptions

    @Option(
        help: ArgumentHelp(
            "Sample rate of the file; with --mix, it is the programme's. (default: 48000)", valueName: "hz"))
    var rate: Int?

    @Option(help: ArgumentHelp("Number of times that the token is sent. (default: 1)", valueName: "count"))
    var `repeat`: Int?

    @Option(help: ArgumentHelp("Silence between two repetitions.", valueName: "seconds"))
    var gap = 0.2

    @OptionGroup var emission: EmissionOptions

    @OptionGroup var mix: MixOptions

    @Option(
        name: [.short, .long], help: ArgumentHelp("File to write; - for standard output.", valueName: "file"))
    var output: String

    func validate() throws {
        guard token.count == 1 else {
            throw ValidationError("give either --token or --text")
        }
        let waveform = try waveform()
        _ = try token.bytes(for: waveform)
        try Limits.check("--repeat", repeatCount, 1...1_000_000)
        try Limits.check("--gap", gap, 0...3600, "seconds")
        guard mix.programme == nil || rate == nil else {
            throw ValidationError("--mix uses the programme's sample rate; leave --rate out")
        }
        guard !mix.untilEnd || `repeat` == nil else {
            throw ValidationError(
                "--until-end repeats the token until the programme ends; leave --repeat out")
        }
        try validateRate(waveform)
    }

    private var repeatCount: Int { `repeat` ?? 1 }

    private func validateRate(_ waveform: WaveformProfile) throws {
        guard let rate else { return }
        guard rate <= 768_000 else { throw ValidationError("--rate must be at most 768000 Hz") }
        guard Double(rate) >= waveform.minimumSampleRateHz else {
            throw ValidationError(
                "\(rate) Hz cannot hold \(waveform.bandDescription); 44100 or 48000 Hz would do")
        }
    }

    private func waveform() throws -> WaveformProfile { try profile.profile(agreement.agreement) }

    func run() throws {
        let output = AudioPath(output)
        if let programme = mix.programme { return try runMix(AudioPath(programme), to: output) }
        let track = try makeTrack(sampleRateHz: rate ?? 48_000)
        let format = AudioFormat(
            sampleRateHz: track.sampleRateHz, channelCount: 1, frameCount: track.frameCount)
        switch try SoundContainer(output) {
        case .wav: try track.write(to: WAVWriter(output, format: format, inputs: []))
        case .flac: try track.write(to: FLACWriter(output, format: format, inputs: []))
        }
    }

    private func runMix(_ path: AudioPath, to output: AudioPath) throws {
        let copy = try ProgrammeCopy(from: path, to: output)
        let rate = copy.source.layout.sampleRateHz
        let waveform = try waveform()
        guard (waveform.minimumSampleRateHz...768_000).contains(Double(rate)) else {
            throw CommandFailure(
                .badData,
                "\(path): at \(rate) Hz it cannot hold \(waveform.bandDescription); resample it to 48000 Hz first"
            )
        }
        guard copy.source.layout.takesToken.contains(true) else {
            throw CommandFailure(
                .badData, "\(path): has one channel, for low frequencies; a token needs another loudspeaker")
        }
        let bytes = try token.bytes(for: waveform) ?? []
        let transmitter = makeTransmitter(waveform, sampleRateHz: rate)
        let schedule = try mix.schedule(
            tokenFrames: transmitter.waveform(of: bytes).count, gapSeconds: gap, repeatCount: repeatCount,
            sampleRateHz: rate)
        var mixer = ProgrammeMixer(
            copy, token: bytes, transmitter: transmitter,
            level: emission.level.map { .fixed($0) } ?? MixingLevel(), schedule: schedule)
        for line in try mixer.run() { StandardError.write(line) }
    }

    private func makeTransmitter(_ waveform: WaveformProfile, sampleRateHz: Int) -> Transmitter {
        Transmitter(profile: waveform, lane: emission.lane, sampleRateHz: Double(sampleRateHz))
    }

    private func makeTrack(sampleRateHz: Int) throws -> TokenTrack {
        let waveform = try waveform()
        return TokenTrack(
            waveform: try makeTransmitter(waveform, sampleRateHz: sampleRateHz)
                .waveform(of: token.bytes(for: waveform) ?? []),
            sampleRateHz: sampleRateHz,
            repeatCount: repeatCount, gapSeconds: gap, levelDBFS: emission.peakDBFS)
    }
}

extension WaveformProfile {
    /// The band as text: "18.5–20.0 kHz".
    var bandDescription: String {
        let ends = [bandHz.lowerBound, bandHz.upperBound].map { FixedPoint.text($0 / 1000, places: 1) }
        return "\(ends[0])–\(ends[1]) kHz"
    }
}
