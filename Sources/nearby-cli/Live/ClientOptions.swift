import ArgumentParser
import Nearby

/// The options for the server or its substitute, for sound and radio, and for the duration.
struct ClientOptions: ParsableArguments {
    @OptionGroup var registry: RegistryOptions

    @Option(help: ArgumentHelp("Use sound (audio), Bluetooth (ble) or both.", valueName: "medium"))
    var medium = MediumChoice.audio

    @Option(
        help: ArgumentHelp(
            "Bluetooth radio, as 'nearby ble doctor' names it. (default: auto)", valueName: "name"))
    var radio: String?

    @Option(
        help: ArgumentHelp(
            "ALSA device to capture from; a name with '/' or ending in '.wav' is a WAV file or pipe.",
            valueName: "name"))
    var capture = "default"

    @Option(help: ArgumentHelp("ALSA device, WAV file or pipe to play to.", valueName: "name"))
    var playback = "default"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Stop after this time. (default: at Ctrl-C)", valueName: "seconds"))
    var seconds: Double?

    @Flag(help: "Only broadcast; use no microphone.")
    var onlyBroadcast = false

    @Flag(help: "Only scan; use no loudspeaker.")
    var onlyScan = false

    @Flag(help: "Match only devices that hear this one and are heard by it.")
    var mutual = false

    func validate() throws {
        guard !(onlyBroadcast && onlyScan) else {
            throw ValidationError("give either --only-broadcast or --only-scan, not both")
        }
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
