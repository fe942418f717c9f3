import AcousticModem
import ArgumentParser
import AudioIO
import ChannelSim
import Glibc
import Signal

struct Curve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure how many tokens are heard against Eb/N0.",
        discussion: """
            Each trial is one transmission at an unknown time in noise, its speed and ±100 ppm of skew drawn at \
            random. Eb/N0 counts all energy on air for each bit of the token, as it arrives on average; with \
            --repeats it is that of one frame. With --noise-hours there is only noise, and any token is wrong.
            """)

    @Option(help: "Waveform.") var profile: WaveformProfile = .dsss
    @Option(parsing: .unconditional, help: "First Eb/N0, dB.") var from: Double = 1
    @Option(parsing: .unconditional, help: "Last Eb/N0, dB.") var to: Double = 5
    @Option(help: "Step, dB.") var step: Double = 0.5
    @Option(help: "Trials at each point.") var trials: Int = 200
    @Option(help: "Bytes of the token, 1 to 32.") var tokenBytes: Int = 8
    @Option(help: "Frames of the token at the standard gap; heard once is heard.") var repeats: Int = 1
    @Option(parsing: .unconditional, help: "Speed in m/s, or 'random' for ±1.5 m/s.")
    var speed = SpeedArgument(argument: "random")!
    @Option(help: "Reverberation time of a static room, seconds.") var rt60: Double?
    @Option(parsing: .unconditional, help: "Direct over reverberant energy, dB.") var drr: Double = 0
    @Option(help: "A steady tone: HZ:DB over the signal.") var tone: ToneArgument?
    @Option(help: "Transmitter's lane, 0 to 3.") var lane: Int = 0
    @Option(parsing: .unconditional, help: "Clock skew in ppm; drawn from ±100 by default.") var skew: Double?
    @Option(help: "Fraction of the samples that clip, 0 to 0.9.") var clip: Double = 0
    @Option(help: "Other sound: FILE:DB over the signal.") var programme: ProgrammeArgument?
    @Option(help: "Rate of the recording, Hz; brought back to 48000.") var rate: Double?
    @Option(help: "Threads; all cores by default.") var threads: Int?
    @Option(help: "Seed of all that is drawn.") var seed: UInt64 = 1
    @Option(help: "Only noise: hours of it, to count wrong tokens.") var noiseHours: Double?
    @Flag(help: "Comma-separated values.") var csv = false
    @Option(help: "Append each point to this CSV file, and skip those it has.") var resume: String?

    func validate() throws {
        if let skew, !(skew.magnitude <= 10_000) {
            throw ValidationError("--skew: expected −10000 to 10000 ppm")
        }
        guard (0...0.9).contains(clip) else { throw ValidationError("--clip: expected 0 to 0.9") }
        if let rate, !(profile.minimumSampleRateHz...768_000).contains(rate) {
            throw ValidationError("--rate: expected \(Int(profile.minimumSampleRateHz)) to 768000 Hz")
        }
        guard (-100...200).contains(from), (-100...200).contains(to), to >= from else {
            throw ValidationError("--from and --to: expected -100 to 200 dB, --from not above --to")
        }
        guard (0.01...300).contains(step) else { throw ValidationError("--step: expected 0.01 dB or more") }
        guard (1...100_000_000).contains(trials) else {
            throw ValidationError("--trials: expected 1 to 100000000")
        }
        guard (1...32).contains(tokenBytes) else { throw ValidationError("--token-bytes: expected 1 to 32") }
        guard (1...100).contains(repeats) else { throw ValidationError("--repeats: expected 1 to 100") }
        guard (0...3).contains(lane) else { throw ValidationError("--lane: expected 0 to 3") }
        if let rt60, !(0.05...10).contains(rt60) {
            throw ValidationError("--rt60: expected 0.05 to 10 seconds")
        }
        guard (-60...60).contains(drr) else { throw ValidationError("--drr: expected -60 to 60 dB") }
        if let threads, !(1...1024).contains(threads) {
            throw ValidationError("--threads: expected 1 to 1024")
        }
        if let noiseHours, !(0.01...1_000_000).contains(noiseHours) {
            throw ValidationError("--noise-hours: expected 0.01 or more")
        }
        if let tone, tone.frequencyHz >= 24_000 { throw ValidationError("--tone: expected under 24000 Hz") }
    }

    func run() throws {
        let threadCount = threads ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        if let noiseHours {
            return try NoiseRun(profile: profile, seed: seed, threadCount: threadCount).run(hours: noiseHours)
        }
        var conditions = TrialConditions(
            profile: profile, tokenByteCount: tokenBytes, repeats: repeats,
            speedMetersPerSecond: speed.metersPerSecond, rt60Seconds: rt60, drrDecibels: drr, tone: tone,
            lane: lane)
        conditions.skewPPM = skew
        conditions.clipFraction = clip
        conditions.recordedAtHz = rate
        if let programme {
            let (samples, rateHz) = try MonoFile.read(AudioPath(programme.path))
            var converter = Resampler(fromHz: rateHz, toHz: Receiver.sampleRateHz)
            conditions.programme = (converter.process(samples) + converter.finish(), programme)
        }
        let campaign = Campaign(conditions: conditions, seed: seed, threadCount: threadCount)
        let heading = "# nearby-modem curve \(conditions.description) --trials \(trials) --seed \(seed)"
        let log = try resume.map { try CurveLog(path: $0, heading: heading) }
        try StandardOutput.write(
            csv ? "\(heading)\n\(CurvePoint.csvHeader)" : CurveTable.heading(conditions.description))
        var points: [CurvePoint] = []
        for index in 0...Int(((to - from) / step + 1e-9).rounded(.down)) {
            let ebN0 = from + Double(index) * step
            let known = log?.points.first { abs($0.ebN0Decibels - ebN0) < 0.005 && $0.trials == trials }
            let point = try known ?? campaign.point(ebN0Decibels: ebN0, trials: trials)
            if known == nil { try log?.append(point) }
            points.append(point)
            try StandardOutput.write(csv ? point.csv : CurveTable.row(point))
        }
        if !csv { try StandardOutput.write(CurveTable.closing(points)) }
    }
}

/// The table people read.
enum CurveTable {
    static func heading(_ conditions: String) -> String {
        "\(conditions)\n\n| Eb/N0 dB | heard | of | success | 95 % interval | wrong | measured dB | CPU ms |\n"
            + "|---|---|---|---|---|---|---|---|"
    }

    static func row(_ point: CurvePoint) -> String {
        func percent(_ value: Double) -> String { FixedPoint.text(100 * value, places: 1) }
        let mean =
            point.heard > 0 ? FixedPoint.text(point.measuredEbN0Sum / Double(point.heard), places: 2) : "–"
        let cells = [
            FixedPoint.text(point.ebN0Decibels, places: 2), "\(point.heard)", "\(point.trials)",
            "\(percent(point.successRate)) %",
            "\(percent(point.interval.low))–\(percent(point.interval.high))",
            "\(point.wrongTokens)", mean,
            FixedPoint.text(1000 * point.receiverSeconds / Double(point.trials), places: 1),
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    static func closing(_ points: [CurvePoint]) -> String {
        guard let crossing = CurvePoint.crossing(points) else {
            return "\n90 % is not crossed between these points"
        }
        return "\n90 % at \(FixedPoint.text(crossing, places: 2)) dB (interpolated)"
    }
}
