import ArgumentParser
import Nearby

/// The options for the server or its substitute, for sound and radio, and for the duration.
struct ClientOptions: ParsableArguments {
    @OptionGroup var registry: RegistryOptions

    @Option(help: ArgumentHelp("By sound, by Bluetooth, or by both: audio, ble, both.", valueName: "medium"))
    var medium = MediumChoice.audio

    @Option(
        help: ArgumentHelp(
            "The radio for Bluetooth, as 'nearby ble doctor' names it. (default: auto)", valueName: "name"))
    var radio: String?

    @Option(
        help: ArgumentHelp(
            "Listen to this ALSA device, or, if there is a '/' or '.wav' in it, this WAV file or pipe.",
            valueName: "name"))
    var capture = "default"

    @Option(help: ArgumentHelp("Play to this device, file or pipe.", valueName: "name"))
    var playback = "default"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End after this. (default: at Ctrl-C)", valueName: "seconds"))
    var seconds: Double?

    @Flag(help: "Only broadcast: there is no microphone.")
    var onlyBroadcast = false

    @Flag(help: "Only scan: there is no loudspeaker.")
    var onlyScan = false

    @Flag(help: "Only who hears and is heard counts.")
    var mutual = false

    func validate() throws {
        guard !(onlyBroadcast && onlyScan) else { throw ValidationError("--only-broadcast or --only-scan") }
    }

    /// - Parameter purpose: the direction without which the command is useless.
    func settings(for purpose: Role) -> LiveSettings {
        LiveSettings(
            server: registry.server, key: registry.key, keyFile: registry.keyFile, trust: registry.trust,
            offline: registry.offline,
            medium: medium, radio: radio,
            capture: capture, playback: playback, seconds: seconds,
            mode: onlyBroadcast ? .broadcast : onlyScan ? .scan : .both, purpose: purpose,
            isMutual: mutual)
    }
}
