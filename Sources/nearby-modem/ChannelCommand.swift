import AcousticModem
import ArgumentParser
import AudioIO
import ChannelSim
import CommandOutput
import Glibc
import Signal

struct ChannelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel", abstract: "Pass sound through a simulated room.",
        discussion: """
            IN holds a transmission and no other sound, as 'nearby-modem encode' writes it. Levels are relative to \
            its average received power. Eb is its received energy, direct and reverberant, divided by --bits; N0 is \
            one-sided. The resulting levels are printed on standard error. A recording that would clip is \
            attenuated.
            """)

    @Argument(help: ArgumentHelp("Sound file with the transmission; - for standard input.", valueName: "in"))
    var input: String

    @Option(
        name: [.short, .long], help: ArgumentHelp("File to write; - for standard output.", valueName: "file"))
    var output: String

    @Option(
        name: .customLong("ebn0"), parsing: .unconditional,
        help: ArgumentHelp("Add white noise at this Eb/N0.", valueName: "db"))
    var ebN0: Double?

    @Option(help: ArgumentHelp("Payload bits in IN, all its frames together.", valueName: "count"))
    var bits = 64

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Add white noise at this SNR in 18.5-20 kHz.", valueName: "db"))
    var snr: Double?

    @OptionGroup(title: "Channel options") var path: ChannelOptions

    @Option(
        help: ArgumentHelp(
            "Profile of IN: the band for --walk and for a --tone of random frequency.",
            valueName: "name"))
    var profile = WaveformProfile.dsss

    @Option(help: ArgumentHelp("Sample rate of the recording. (default: that of IN)", valueName: "hz"))
    var rate: Int?

    @Option(help: "Seed of the room and the noise.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Length of the recording before the transmission.", valueName: "seconds"))
    var lead = 0.0

    @Option(help: ArgumentHelp("Length of the recording after the transmission.", valueName: "seconds"))
    var trail = 0.0

    func validate() throws {
        guard ebN0 == nil || snr == nil else {
            throw ValidationError("give either --ebn0 or --snr, not both")
        }
        try Limits.check("--ebn0", ebN0, -100...200, "dB")
        try Limits.check("--snr", snr, -100...200, "dB")
        try Limits.check("--lead", lead, 0...3600, "seconds")
        try Limits.check("--trail", trail, 0...3600, "seconds")
        try Limits.check("--bits", bits, 1...1_000_000_000)
        try Limits.check("--rate", rate, 8000...768_000, "Hz")
    }

    /// Every file that the command reads.
    private var inputs: [AudioPath] { [AudioPath(input)] + path.inputs }

    func run() throws {
        try OutputFile.requireDistinct(AudioPath(output), from: inputs)
        let (samples, rateHz) = try SoundFile.readMono(AudioPath(input))
        let channel = try makeChannel(inputRateHz: rateHz)
        guard let (recording, report) = channel.apply(to: samples, fromHz: rateHz, seed: seed) else {
            throw CommandFailure(
                .badData,
                "\(AudioPath(input)): holds only silence; expected a transmission to set levels against")
        }
        for line in report.lines { StandardError.write(line) }
        try write(recording, rateHz: channel.sampleRateHz)
    }

    private func makeChannel(inputRateHz: Double) throws -> Channel {
        var channel = Channel()
        channel.sampleRateHz = rate.map(Double.init) ?? inputRateHz
        try path.requireHolding(profile, sampleRateHz: channel.sampleRateHz)
        // The path has its own stream of random numbers, because the channel draws from the seed itself.
        var random = SplitMix64(seed: ~seed)
        channel.path = path.makePath(
            of: profile, drawnFrom: &random, measured: try path.readMeasuredRoom(), isRestless: false)
        channel.surroundings = path.makeSurroundings(
            about: profile, drawnFrom: &random, programme: try path.readProgramme())
        channel.surroundings.noise =
            ebN0.map(Surroundings.Noise.ebN0Decibels) ?? snr.map(Surroundings.Noise.inBandSNRDecibels)
            ?? .none
        channel.capture = path.makeCapture()
        channel.bitCount = bits
        channel.leadSeconds = lead
        channel.trailSeconds = trail
        return channel
    }

    /// Writes the recording. It is turned down if it would not fit, so that nothing is clipped that should
    /// not be.
    private func write(_ recording: [Float], rateHz: Double) throws {
        var recording = recording
        let peak = recording.reduce(Float(0)) { max($0, $1.magnitude) }
        if peak > 1 {
            let gain = 0.9 / peak
            for i in recording.indices { recording[i] *= gain }
            StandardError.write(
                "recording attenuated by \(FixedPoint.text(-20 * log10(Double(gain)), places: 1)) dB to prevent clipping"
            )
        }
        try SoundFile.writeMono(recording, to: AudioPath(output), rateHz: rateHz, inputs: inputs)
    }
}

extension ChannelReport {
    /// The report's lines for people; decibels name their definition.
    var lines: [String] {
        func decibels(_ value: Double) -> String { FixedPoint.text(value, places: 2) }
        var lines = ["\(FixedPoint.text(onAir.durationSeconds, places: 3)) s on air, \(bitCount) bits"]
        if let noise {
            lines.append(
                "Eb/N0 \(decibels(noise.ebN0Decibels)) dB; SNR \(decibels(noise.inBandSNRDecibels)) dB in 18.5-20 kHz, "
                    + "\(decibels(noise.fullBandSNRDecibels)) dB in 0-24 kHz")
        } else {
            lines.append("no noise")
        }
        if roomGainDecibels.magnitude > 0.005 {
            let comparison = roomGainDecibels > 0 ? "louder" : "quieter"
            lines.append(
                "this room is \(decibels(roomGainDecibels.magnitude)) dB \(comparison) in the band than rooms are on average"
            )
        }
        return lines
    }
}
