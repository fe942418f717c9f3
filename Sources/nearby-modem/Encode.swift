import AcousticModem
import ArgumentParser
import AudioIO
import CommandOutput

struct Encode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn a token into sound.",
        discussion: """
            Writes a WAV file, or streams one with -o -. With --mix the token is laid over a programme, which is \
            never changed itself: where it is near full scale the token is made quieter.
            """)

    @OptionGroup var token: TokenOptions

    @Option(help: "The waveform.")
    var profile: ProfileName = .nearby(.dsss)

    @OptionGroup var agreement: AgreementOptions

    @Option(help: ArgumentHelp("Sample rate; with --mix the programme's. (default: 48000)", valueName: "hz"))
    var rate: Int?

    @Option(help: ArgumentHelp("How often the token is sent.", valueName: "count"))
    var `repeat` = 1

    @Option(help: ArgumentHelp("Silence between two repeats.", valueName: "seconds"))
    var gap = 0.2

    @OptionGroup var emission: EmissionOptions

    @Option(help: ArgumentHelp("The programme to lay the token over, any sound file.", valueName: "file"))
    var mix: String?

    @Option(name: [.short, .long], help: ArgumentHelp("Where to, - for standard output.", valueName: "file"))
    var output: String

    func validate() throws {
        guard token.count == 1 else {
            throw ValidationError("say either --token or --text")
        }
        let waveform = try waveform()
        _ = try token.bytes(for: waveform)
        try Limits.check("--repeat", `repeat`, 1...1_000_000)
        try Limits.check("--gap", gap, 0...3600, "seconds")
        guard mix == nil || rate == nil else {
            throw ValidationError("--mix takes the programme's rate; leave --rate out")
        }
        try validateRate(waveform)
    }

    private func validateRate(_ waveform: WaveformProfile) throws {
        guard let rate else { return }
        guard rate <= 768_000 else { throw ValidationError("--rate is at most 768000 Hz") }
        guard Double(rate) >= waveform.minimumSampleRateHz else {
            throw ValidationError(
                "\(rate) Hz cannot hold \(waveform.bandDescription); 44100 or 48000 Hz would do")
        }
    }

    private func waveform() throws -> WaveformProfile { try profile.profile(agreement.agreement) }

    func run() throws {
        if let mix { return try runMix(AudioPath(mix)) }
        let track = try makeTrack(sampleRateHz: rate ?? 48_000)
        let format = AudioFormat(
            sampleRateHz: track.sampleRateHz, channelCount: 1, frameCount: track.frameCount)
        try track.write(to: WAVWriter(AudioPath(output), format: format, inputs: []))
    }

    private func runMix(_ path: AudioPath) throws {
        let programme = try WAVReader(path)
        let rate = programme.format.sampleRateHz
        let waveform = try waveform()
        guard Double(rate) >= waveform.minimumSampleRateHz else {
            throw CommandFailure(
                .badData,
                "\(path): at \(rate) Hz it cannot hold \(waveform.bandDescription); resample it to 48000 Hz first"
            )
        }
        let mixer = ProgrammeMixer(track: try makeTrack(sampleRateHz: rate), programme: programme)
        let levels = try mixer.write(
            to: WAVWriter(
                AudioPath(output), format: mixer.format, encoding: programme.encoding, inputs: [path]))
        StandardError.write(levels.description)
        programme.reportFaults()
    }

    private func makeTrack(sampleRateHz: Int) throws -> TokenTrack {
        let waveform = try waveform()
        let transmitter = Transmitter(
            profile: waveform, lane: emission.lane, sampleRateHz: Double(sampleRateHz))
        return TokenTrack(
            waveform: try transmitter.waveform(of: token.bytes(for: waveform) ?? []),
            sampleRateHz: sampleRateHz,
            repeatCount: `repeat`, gapSeconds: gap, levelDBFS: emission.level)
    }
}

extension WaveformProfile {
    /// "18.5–20.0 kHz"
    var bandDescription: String {
        let ends = [bandHz.lowerBound, bandHz.upperBound].map { FixedPoint.text($0 / 1000, places: 1) }
        return "\(ends[0])–\(ends[1]) kHz"
    }
}
