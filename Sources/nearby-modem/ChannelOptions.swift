import ArgumentParser
import AudioIO
import ChannelSim
import CommandOutput
import Signal

/// The options of the simulated channel, for `channel` and for `curve`.
struct ChannelOptions: ParsableArguments, Sendable {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Closing speed, positive when approaching; 'random' for up to ±1.5.", valueName: "m/s"))
    var speed: SpeedArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Clock skew; positive if the speaker's clock is fast.", valueName: "ppm"))
    var skew: Double?

    @Option(help: ArgumentHelp("Reverberation time of a diffuse room.", valueName: "seconds"))
    var rt60: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With --rt60: ratio of direct to reverberant energy.", valueName: "db"))
    var drr = 0.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --rt60, instead of --speed: the sender walks, and each reflection has its own Doppler shift.",
            valueName: "m/s"))
    var walk: SpeedArgument?

    @Option(
        help: ArgumentHelp(
            """
            image:RT60[:MM] for a furnished shoebox room drawn at random, with a directional speaker of MM mm \
            radius; measured:FILE for an impulse response, drawn from the channels of FILE.
            """,
            valueName: "room"))
    var room: RoomArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Slope of the speaker's and microphone's response.", valueName: "db/khz"))
    var tilt = 0.0

    @Option(
        help: ArgumentHelp(
            "Notch in that response, 100 Hz wide by default; may be repeated.", valueName: "hz:db[:width]"))
    var notch: [NotchArgument] = []

    @Option(
        help: ArgumentHelp(
            "Third harmonic of a loud speaker, 0 to 10 % of a tone at the transmission's peak.",
            valueName: "percent"))
    var distortion = 0.0

    @Option(
        help: ArgumentHelp(
            "Add a steady tone, DB above the signal's power; HZ may be 'random'.", valueName: "hz:db"))
    var tone: ToneArgument?

    @Option(help: ArgumentHelp("Add this sound, looped, DB above the signal's power.", valueName: "file:db"))
    var programme: ProgrammeArgument?

    @Option(
        help: ArgumentHelp(
            "Add clicks at random times, each DB above the signal's power.", valueName: "per-second:db"))
    var clicks: ClicksArgument?

    @Option(
        help: ArgumentHelp("Lower and raise the gain by DB in turn, every SECONDS.", valueName: "db:seconds"))
    var agc: GainStepsArgument?

    @Option(help: ArgumentHelp("Fraction of the samples that the microphone clips.", valueName: "fraction"))
    var clip = 0.0

    @Option(
        help: ArgumentHelp(
            "Replace SECONDS of the transmission by zeros from START on; START may be 'random'.",
            valueName: "start:seconds")
    )
    var dropout: DropoutArgument?

    @Option(help: ArgumentHelp("Cut this much off the start of the transmission.", valueName: "seconds"))
    var cutHead = 0.0

    func validate() throws {
        try Limits.check("--speed", speed?.metersPerSecond, -30...30, "m/s")
        try Limits.check("--walk", walk?.metersPerSecond, -30...30, "m/s")
        try Limits.check("--skew", skew, -10_000...10_000, "ppm")
        try Limits.check("--rt60", rt60, 0.01...20, "seconds")
        try Limits.check("--drr", drr, -60...60, "dB")
        try Limits.check("--tilt", tilt, -100...100, "dB/kHz")
        try Limits.check("--distortion", distortion, 0...10, "percent")
        try Limits.check("--cut-head", cutHead, 0...3600, "seconds")
        guard (0..<1).contains(clip) else {
            throw ValidationError("--clip must be 0 or more, and under 1, not \(clip)")
        }
        guard walk == nil || speed == nil else {
            throw ValidationError("give either --speed or --walk, not both")
        }
        guard walk == nil || rt60 != nil else { throw ValidationError("--walk needs --rt60") }
        guard rt60 == nil || room == nil else {
            throw ValidationError("give either --rt60 or --room, not both")
        }
        guard case .image(let rt60, let radius) = room else { return }
        try Limits.check(
            "--room", rt60, ShoeboxRoom.shortestRT60Seconds...ShoeboxRoom.longestRT60Seconds,
            "seconds: at 19 kHz, absorption by air allows no longer one")
        try Limits.check("--room", radius, 0...200, "mm")
    }
}
