import ArgumentParser
import AudioIO
import ChannelSim
import CommandOutput
import Signal

/// The options of the simulated channel, for `channel` and for `curve`.
struct ChannelOptions: ParsableArguments, Sendable {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Closing speed, positive approaches, or 'random': ±1.5.", valueName: "m/s"))
    var speed: SpeedArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Clock skew; positive is a fast speaker.", valueName: "ppm"))
    var skew: Double?

    @Option(help: ArgumentHelp("Reverberation time of a diffuse room.", valueName: "seconds"))
    var rt60: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With --rt60, direct over reverberant energy.", valueName: "db"))
    var drr = 0.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --rt60, for --speed: the sender walks, each reflection has a Doppler of its own.",
            valueName: "m/s"))
    var walk: SpeedArgument?

    @Option(
        help: ArgumentHelp(
            """
            image:RT60[:MM], a furnished shoebox room drawn at random; MM is the radius of a speaker that beams. \
            Or measured:FILE, impulse responses, one a channel, of which one is drawn.
            """,
            valueName: "room"))
    var room: RoomArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Slope of speaker and microphone across the band.", valueName: "db/khz"))
    var tilt = 0.0

    @Option(
        help: ArgumentHelp(
            "A notch in their response, 100 Hz wide; may be repeated.", valueName: "hz:db[:width]"))
    var notch: [NotchArgument] = []

    @Option(
        help: ArgumentHelp(
            "A steady tone, its power over the signal's; HZ may be 'random'.", valueName: "hz:db"))
    var tone: ToneArgument?

    @Option(help: ArgumentHelp("Other sound, looped, its power over the signal's.", valueName: "file:db"))
    var programme: ProgrammeArgument?

    @Option(
        help: ArgumentHelp(
            "Clicks at random, each one's power over the signal's.", valueName: "per-second:db"))
    var clicks: ClicksArgument?

    @Option(help: ArgumentHelp("The gain steps down and up in turn, that often.", valueName: "db:seconds"))
    var agc: GainStepsArgument?

    @Option(help: ArgumentHelp("Share of the samples the microphone clips.", valueName: "fraction"))
    var clip = 0.0

    @Option(
        help: ArgumentHelp(
            "Zeros from that time in the transmission on; START may be 'random'.", valueName: "start:seconds")
    )
    var dropout: DropoutArgument?

    @Option(help: ArgumentHelp("The recording begins that late in the transmission.", valueName: "seconds"))
    var cutHead = 0.0

    func validate() throws {
        try Limits.check("--speed", speed?.metersPerSecond, -30...30, "m/s")
        try Limits.check("--walk", walk?.metersPerSecond, -30...30, "m/s")
        try Limits.check("--skew", skew, -10_000...10_000, "ppm")
        try Limits.check("--rt60", rt60, 0.01...20, "seconds")
        try Limits.check("--drr", drr, -60...60, "dB")
        try Limits.check("--tilt", tilt, -100...100, "dB/kHz")
        try Limits.check("--cut-head", cutHead, 0...3600, "seconds")
        guard (0..<1).contains(clip) else {
            throw ValidationError("--clip is 0 or more, and under 1, not \(clip)")
        }
        guard walk == nil || speed == nil else { throw ValidationError("say either --speed or --walk") }
        guard walk == nil || rt60 != nil else { throw ValidationError("--walk goes with --rt60") }
        guard rt60 == nil || room == nil else { throw ValidationError("say either --rt60 or --room") }
        guard case .image(let rt60, let radius) = room else { return }
        try Limits.check(
            "--room", rt60, ShoeboxRoom.shortestRT60Seconds...ShoeboxRoom.longestRT60Seconds,
            "seconds: at 19 kHz the air lets nothing ring longer")
        try Limits.check("--room", radius, 0...200, "mm")
    }
}
