import AcousticModem
import ArgumentParser
import AudioIO
import ChannelSim
import CommandOutput
import Glibc

struct Curve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the share of tokens received as a function of Eb/N0.",
        discussion: """
            Each trial is one transmission at an unknown time in noise. Its speed and a clock skew within ±100 ppm \
            are random unless options set them. Eb is the average received energy per bit of the token: of one frame \
            with --repeats, of the first and loudest sender with --senders. With --noise-hours there is only noise, \
            and every token reported is wrong.
            """)

    @Option(help: "Profile to measure; fsk2 only with --noise-hours.") var profile: WaveformProfile = .dsss
    @OptionGroup var line: UARTOptions
    @Option(parsing: .unconditional, help: ArgumentHelp("First Eb/N0, dB.", valueName: "db"))
    var from: Double = 1
    @Option(parsing: .unconditional, help: ArgumentHelp("Last Eb/N0, dB.", valueName: "db"))
    var to: Double = 5
    @Option(help: ArgumentHelp("Step of Eb/N0, dB.", valueName: "db"))
    var step: Double = 0.5
    @Option(help: ArgumentHelp("Trials at each point.", valueName: "count"))
    var trials: Int = 200
    @Option(help: ArgumentHelp("Length of the token, 1 to 32 bytes.", valueName: "count"))
    var tokenBytes: Int = 8
    @Option(help: ArgumentHelp("Frames sent per trial; receiving one of them is enough.", valueName: "count"))
    var repeats: Int = 1
    @Option(help: ArgumentHelp("Silence between two frames, seconds.", valueName: "seconds"))
    var gap = WaveformProfile.standardGapSeconds
    @Option(
        help: ArgumentHelp(
            "Simultaneous senders, on successive lanes, each in its own room; all must be received.",
            valueName: "count"))
    var senders: Int = 1
    @Option(
        help: ArgumentHelp(
            "Time within which the senders begin, seconds; without it any two overlap.",
            valueName: "seconds"))
    var window: Double?
    @Option(
        help: ArgumentHelp(
            "Level of the first sender over the last, dB; the others lie between.", valueName: "db"))
    var spread: Double = 0
    @Flag(
        help: """
            Send two strong frames a period apart, and count the frame that follows them as received if it renews the \
            token.
            """)
    var renew = false
    @Flag(help: ReceiverArguments.fourRepeatsHelp)
    var fourRepeats = false
    @Option(
        help: ArgumentHelp(
            "Microphones, each in a diffuse field and noise of its own; Eb/N0 is that of each.",
            valueName: "count"))
    var microphones: Int = 1
    @Option(
        help: ArgumentHelp(
            "Distance from one microphone to the next, on the line from the sender.", valueName: "meters"))
    var microphoneSpacing = 0.0
    @Option(
        help: ArgumentHelp(
            "Lane of the transmitter, 0 to 3: one of four scramblings of a frame.", valueName: "n"))
    var lane: Int = 0
    @Option(
        help: ArgumentHelp(
            "Sample rate of the recording, Hz; it is resampled to 48000 for the receiver.", valueName: "hz"))
    var rate: Int?
    @Option(help: ArgumentHelp("Samples per call of the receiver, or 'random'.", valueName: "count"))
    var chunks: ChunksArgument = .all
    @Option(
        help: ArgumentHelp(
            "Noise before each trial, seconds, from which the receiver estimates the noise level.",
            valueName: "seconds"))
    var lead: Double = 0
    @OptionGroup(title: "Channel options") var path: ChannelOptions
    @Option(help: ArgumentHelp("Number of threads. (default: one per core)", valueName: "count"))
    var threads: Int?
    @Option(help: "Seed of all random numbers.") var seed: UInt64 = 1
    @Option(
        help: ArgumentHelp(
            "Receive this many hours of noise without transmissions, and count wrong tokens.",
            valueName: "hours"))
    var noiseHours: Double?
    @Flag(help: "Print comma-separated values.") var csv = false
    @Option(
        help: ArgumentHelp(
            "Append each point to this CSV file, and skip the points that it already has.", valueName: "file")
    )
    var resume: String?

    func validate() throws {
        let profile = try line.applied(to: profile)
        if case .uart = profile.kind, noiseHours == nil {
            throw ValidationError(
                "--profile fsk2: only with --noise-hours; Tools/bench/minimodem has its curve")
        }
        try Limits.check("--rate", rate, Int(profile.minimumSampleRateHz.rounded(.up))...768_000, "Hz")
        guard (-100...200).contains(from), (-100...200).contains(to), to >= from else {
            throw ValidationError(
                "--from and --to must be -100 to 200 dB, and --from not above --to; not \(from) and \(to)")
        }
        try Limits.check("--step", step, 0.01...300, "dB")
        try Limits.check("--trials", trials, 1...100_000_000)
        try Limits.check("--token-bytes", tokenBytes, 1...32)
        try Limits.check("--repeats", repeats, 1...100)
        try Limits.check("--lane", lane, 0...3)
        try Limits.check("--gap", gap, 0...600, "seconds")
        try Limits.check("--senders", senders, 1...64)
        guard !renew || repeats == 1 && senders == 1 else {
            throw ValidationError("--renew is for one frame of one sender; leave out --repeats and --senders")
        }
        if let window { try Limits.check("--window", window, 0...600, "seconds") }
        try Limits.check("--spread", spread, 0...100, "dB")
        try Limits.check("--microphones", microphones, 1...8)
        try Limits.check("--microphone-spacing", microphoneSpacing, 0...10, "meters")
        try Limits.check("--lead", lead, 0...3600, "seconds")
        try Limits.check("--threads", threads, 1...1024)
        try Limits.check("--noise-hours", noiseHours, 0.01...1_000_000, "hours")
    }

    func run() throws {
        try path.requireHolding(
            profile, sampleRateHz: rate.map(Double.init) ?? Receiver.sampleRateHz)
        let threadCount = threads ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        if let noiseHours {
            let profile = try line.applied(to: profile)
            return try NoiseRun(
                profile: profile, seed: seed, threadCount: threadCount, microphoneCount: microphones
            ).run(hours: noiseHours)
        }
        var conditions = TrialConditions(profile: profile, path: path)
        conditions.programme = try path.readProgramme()
        conditions.measured = try path.readMeasuredRoom()
        conditions.tokenByteCount = tokenBytes
        conditions.repeats = repeats
        conditions.gapSeconds = gap
        conditions.renewsToken = renew
        conditions.joinsFourRepeats = fourRepeats
        conditions.lane = lane
        conditions.senderCount = senders
        conditions.windowSeconds = window
        conditions.spreadDecibels = spread
        conditions.microphoneCount = microphones
        conditions.spacingMeters = microphoneSpacing
        conditions.recordedAtHz = rate
        conditions.chunks = chunks
        conditions.leadSeconds = lead
        let campaign = Campaign(conditions: conditions, seed: seed, threadCount: threadCount)
        let heading = [
            "# nearby-modem curve \(conditions.description) --trials \(trials) --seed \(seed)",
            CurvePoint.csvHeader(senderCount: senders),
        ]
        let log = try resume.map { try CurveLog(path: $0, heading: heading) }
        for line in csv ? heading : CurveTable.heading(conditions).lines { try StandardOutput.write(line) }
        var points: [CurvePoint] = []
        for index in 0...Int(((to - from) / step + 1e-9).rounded(.down)) {
            let ebN0 = from + Double(index) * step
            let known = log?.points.first { abs($0.ebN0Decibels - ebN0) < 0.005 && $0.trials == trials }
            let point = try known ?? campaign.point(ebN0Decibels: ebN0, trials: trials)
            if known == nil { try log?.append(point) }
            points.append(point)
            try StandardOutput.write(csv ? point.csv : CurveTable.row(point))
        }
        if !csv { for line in CurveTable.closing(points).lines { try StandardOutput.write(line) } }
    }
}

/// The table for people.
enum CurveTable {
    static func heading(_ conditions: TrialConditions) -> String {
        var titles = [
            "Eb/N0 dB", "heard", "of", "success", "95 % interval", "wrong", "measured dB", "CPU ms",
        ]
        if conditions.senderCount > 1 { titles += ["loudest heard", "tokens heard"] }
        let rule = String(repeating: "|---", count: titles.count) + "|"
        return "\(conditions.description)\n\n| \(titles.joined(separator: " | ")) |\n\(rule)"
    }

    static func row(_ point: CurvePoint) -> String {
        func percent(_ value: Double) -> String { FixedPoint.text(100 * value, places: 1) }
        let mean =
            point.heard > 0 ? FixedPoint.text(point.measuredEbN0Sum / Double(point.heard), places: 2) : "–"
        var cells = [
            FixedPoint.text(point.ebN0Decibels, places: 2), "\(point.heard)", "\(point.trials)",
            "\(percent(point.successRate)) %",
            "\(percent(point.interval.low))–\(percent(point.interval.high))",
            "\(point.wrongTokens)", mean,
            FixedPoint.text(1000 * point.receiverSeconds / Double(point.trials), places: 1),
        ]
        if let senders = point.senders { cells += ["\(senders.loudestHeard)", "\(senders.tokensHeard)"] }
        return "| \(cells.joined(separator: " | ")) |"
    }

    static func closing(_ points: [CurvePoint]) -> String {
        guard let crossing = CurvePoint.crossing(points) else {
            return "\n90 % is not crossed between these points"
        }
        return "\n90 % at \(FixedPoint.text(crossing, places: 2)) dB (interpolated)"
    }
}

extension String {
    fileprivate var lines: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
