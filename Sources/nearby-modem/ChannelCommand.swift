import ArgumentParser
import AudioIO
import ChannelSim
import Glibc

struct ChannelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel", abstract: "Pass sound through a simulated room.",
        discussion: """
            IN is a transmission on its own, as encode writes it. Levels are set against it as it arrives on average: \
            Eb/N0 counts all its energy, direct and reverberant, for each of --bits; N0 is one-sided. What was made is \
            said on standard error. The recording is turned down where it would be beyond full scale.
            """)

    @Argument(help: ArgumentHelp("The transmission, - for standard input.", valueName: "in"))
    var input: String

    @Option(name: [.short, .long], help: ArgumentHelp("Where to, - for standard output.", valueName: "file"))
    var output: String

    @Option(
        name: .customLong("ebn0"), parsing: .unconditional,
        help: ArgumentHelp("White noise, by Eb/N0.", valueName: "db"))
    var ebN0: Double?

    @Option(help: ArgumentHelp("Payload bits in the whole of IN, all frames together.", valueName: "count"))
    var bits = 64

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("White noise, by the ratio in 18.5-20 kHz.", valueName: "db"))
    var snr: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Closing speed; positive approaches.", valueName: "m/s"))
    var speed = 0.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Clock skew; positive is a fast speaker.", valueName: "ppm"))
    var skew = 0.0

    @Option(help: ArgumentHelp("Reverberation time of a static room.", valueName: "seconds"))
    var rt60: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Direct over reverberant energy.", valueName: "db"))
    var drr = 0.0

    @Option(help: ArgumentHelp("A steady tone, its power over the signal's.", valueName: "hz:db"))
    var tone: ToneArgument?

    @Option(help: ArgumentHelp("Share of the samples the microphone clips.", valueName: "fraction"))
    var clip = 0.0

    @Option(help: ArgumentHelp("Other sound, looped, its power over the signal's.", valueName: "file:db"))
    var programme: ProgrammeArgument?

    @Option(help: ArgumentHelp("Sample rate of the recording. (default: that of IN)", valueName: "hz"))
    var rate: Int?

    @Option(help: "Seed of the room and the noise.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Recording before the transmission.", valueName: "seconds"))
    var lead = 0.0

    @Option(help: ArgumentHelp("Recording after it.", valueName: "seconds"))
    var trail = 0.0

    func validate() throws {
        guard ebN0 == nil || snr == nil else { throw ValidationError("say either --ebn0 or --snr") }
        try check("--ebn0", ebN0, -100...200, "dB")
        try check("--snr", snr, -100...200, "dB")
        try check("--speed", speed, -30...30, "m/s")
        try check("--skew", skew, -10_000...10_000, "ppm")
        try check("--rt60", rt60, 0.01...20, "seconds")
        try check("--drr", drr, -60...60, "dB")
        try check("--lead", lead, 0...3600, "seconds")
        try check("--trail", trail, 0...3600, "seconds")
        guard (0..<1).contains(clip) else { throw ValidationError("--clip is 0 or more, and under 1") }
        guard (1...1_000_000_000).contains(bits) else { throw ValidationError("--bits is 1 to 1000000000") }
        if let rate, !(8000...768_000).contains(rate) { throw ValidationError("--rate is 8000 to 768000 Hz") }
    }

    private func check(_ name: String, _ value: Double?, _ range: ClosedRange<Double>, _ unit: String) throws
    {
        guard let value, !range.contains(value) else { return }
        let ends = [range.lowerBound, range.upperBound].map {
            FixedPoint.text($0, places: $0.rounded() == $0 ? 0 : 2)
        }
        throw ValidationError("\(name) is \(ends[0]) to \(ends[1]) \(unit)")
    }

    func run() throws {
        let (samples, rateHz) = try MonoFile.read(AudioPath(input))
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
        channel.warp = TimeWarp(speedMetersPerSecond: speed, clockSkewPPM: skew)
        channel.reverberation = rt60.map { Channel.Reverberation(rt60Seconds: $0, drrDecibels: drr) }
        channel.noise =
            ebN0.map(Channel.Noise.ebN0Decibels) ?? snr.map(Channel.Noise.inBandSNRDecibels) ?? .none
        channel.bitCount = bits
        channel.clippedFraction = clip
        channel.leadSeconds = lead
        channel.trailSeconds = trail
        if let tone {
            guard tone.frequencyHz < channel.sampleRateHz / 2 else {
                throw CommandFailure(
                    .usage, "--tone: \(channel.sampleRateHz) Hz cannot hold \(tone.frequencyHz) Hz")
            }
            channel.tone = Channel.Tone(frequencyHz: tone.frequencyHz, levelDecibels: tone.levelDecibels)
        }
        if let programme {
            let (samples, rateHz) = try MonoFile.read(AudioPath(programme.path))
            channel.programme = Channel.Programme(
                samples: samples, sampleRateHz: rateHz, levelDecibels: programme.levelDecibels)
        }
        return channel
    }

    /// Turned down when it would not fit, so that nothing is clipped that was not asked for.
    private func write(_ recording: [Float], rateHz: Double) throws {
        var recording = recording
        let peak = recording.reduce(Float(0)) { max($0, $1.magnitude) }
        if peak > 1 {
            let gain = 0.9 / peak
            for i in recording.indices { recording[i] *= gain }
            StandardError.write(
                "turned down by \(FixedPoint.text(-20 * log10(Double(gain)), places: 1)) dB to fit")
        }
        try MonoFile.write(recording, to: AudioPath(output), rateHz: rateHz)
    }
}

extension ChannelReport {
    /// For people; decibels name their definition.
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
                "this room is \(decibels(roomGainDecibels.magnitude)) dB \(comparison) than rooms are on average"
            )
        }
        return lines
    }
}
