import AcousticModem
import ArgumentParser
import AudioIO
import CommandOutput
import LiveModem
import Signal

struct Transmit: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send a token repeatedly.",
        discussion: """
            Plays to an ALSA device until Ctrl-C, without clicks or gaps. With --tokens, each line that is read \
            replaces the token from the next frame on; the last token is sent at least once, and repeated until the \
            input ends. Lines that begin with # are ignored. If the PCM mixes, other programs can play at the same \
            time. The exit code is 0 if a frame was sent, 1 if none was, and 65 if no line was a token.
            """)

    @OptionGroup var token: TokenOptions

    @Option(
        help: ArgumentHelp(
            "File with one token per line, as hexadecimal digits; - for standard input.", valueName: "file"))
    var tokens: String?

    @Option(help: ArgumentHelp("ALSA PCM to use; 'nearby-modem devices' lists them.", valueName: "pcm"))
    var device = "default"

    @Option(help: "Profile to send with.")
    var profile: ProfileName = .nearby(.dsss)

    @OptionGroup var agreement: AgreementOptions

    @OptionGroup var emission: EmissionOptions

    @Option(name: .customLong("for"), help: ArgumentHelp("Stop after this time.", valueName: "seconds"))
    var seconds: Double?

    @Option(help: ArgumentHelp("Stop after this many frames.", valueName: "n"))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "Time from one frame to the next; at least 0.2 s of silence remain.", valueName: "seconds"))
    var every = 0.0

    @Option(help: ArgumentHelp("Lengthen that time at random by up to this.", valueName: "seconds"))
    var jitter = 0.0

    @Option(
        help: ArgumentHelp(
            "Capture from this PCM, and start a frame only while the band is free.", valueName: "pcm"))
    var listenBefore: String?

    func validate() throws {
        guard token.count + (tokens == nil ? 0 : 1) == 1 else {
            throw ValidationError("give one of --token, --text and --tokens")
        }
        _ = try token.bytes(for: waveform())
        try Limits.check("--every", every, 0...86_400, "seconds")
        try Limits.check("--jitter", jitter, 0...3600, "seconds")
        try Limits.check("--count", count, 1 ... .max)
        try Limits.checkDuration("--for", seconds)
    }

    private func waveform() throws -> WaveformProfile { try profile.profile(agreement.agreement) }

    func run() throws {
        Interruption.watch()
        let waveform = try waveform()
        let lines = try tokens.map { try TokenLines(AudioPath($0), byteCounts: waveform.tokenByteCounts) }
        let playback = try ALSAPlayback(device)
        let rateHz = Double(playback.format.sampleRateHz)
        guard rateHz >= waveform.minimumSampleRateHz else {
            throw CommandFailure(
                .unavailable,
                "\(device): at \(playback.format.sampleRateHz) Hz it cannot hold "
                    + "\(waveform.bandDescription); choose another device or profile")
        }
        var broadcast = Broadcast(
            Transmitter(profile: waveform, lane: emission.lane, sampleRateHz: rateHz),
            levelDBFS: emission.peakDBFS,
            pauses: Broadcast.Pauses(everySeconds: every, jitterSeconds: jitter), frames: count,
            random: SplitMix64(seed: UInt64(bitPattern: Int64(WallClock.now * 1e6))))
        if let token = try token.bytes(for: waveform) { try broadcast.send(token) }
        let sense = try listenBefore.map { try ListenBefore($0, bandHz: waveform.bandHz) }
        var transmission = Transmission(
            playback: playback, path: .device(device), broadcast: broadcast, lines: lines, sense: sense)
        try transmission.run(seconds: seconds)
    }
}
