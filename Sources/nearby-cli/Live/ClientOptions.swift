import ArgumentParser
import AudioIO
import AudioMedium
import BLEMedium
import CommandOutput
import FoundationEssentials
import Logging
import Nearby
import NearbyClient
import NearbyOffline
import UnixSignals

/// The server or what is in its place, the sound and the radio, and how long.
struct ClientOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server. (default: http://127.0.0.1:8480)", valueName: "URL"))
    var server: String?

    @Option(help: ArgumentHelp("The project's API key. (default: $NEARBY_KEY)", valueName: "key"))
    var key: String?

    @Option(help: ArgumentHelp("Trust these certificates instead of the system's, PEM.", valueName: "file"))
    var trust: String?

    @Option(
        help: ArgumentHelp(
            "No server: a key that all devices of the project have ('nearby offline create').",
            valueName: "file"))
    var offline: String?

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
        guard radio == nil || medium != .audio else {
            throw ValidationError("--radio is for --medium ble and --medium both")
        }
        _ = try RadioNameOption.name(radio ?? "auto")
        if offline != nil {
            guard server == nil, key == nil, trust == nil else {
                throw ValidationError("either --offline, or --server, --key and --trust")
            }
            guard medium == .audio else {
                throw ValidationError(
                    "--offline goes by sound: a sealed message has no room in an advertisement; leave --medium out"
                )
            }
            guard !mutual else {
                throw ValidationError("--mutual needs a server: without one nobody learns who hears whom")
            }
        }
        guard seconds.map({ $0 > 0 && $0 < 1e9 }) ?? true else {
            throw ValidationError("--seconds is more than 0")
        }
    }

    var strategy: Strategy {
        Strategy(
            media: medium.media, mode: onlyBroadcast ? .broadcast : onlyScan ? .scan : .both, isMutual: mutual
        )
    }

    private var knownKey: String? { key ?? ProcessInfo.processInfo.environment["NEARBY_KEY"] }
    var hasKey: Bool { knownKey != nil }

    /// Beacons go by no other way.
    var forBeacons: ClientOptions {
        var options = self
        options.medium = .ble
        return options
    }

    /// Throws: 64 for an address or a key that is none.
    func client() throws(CommandFailure) -> NearbyClient {
        guard let key = knownKey else {
            throw CommandFailure(
                .usage,
                "no API key: say --key, or set NEARBY_KEY ('nearby keys create' makes one); without a server: --offline"
            )
        }
        var settings = NearbyClientSettings()
        settings.trustRoots = trust
        do {
            return try NearbyClient(
                server: server ?? "http://127.0.0.1:8480", apiKey: key, settings: settings,
                log: ClientOptions.silence)
        } catch {
            throw CommandFailure(.usage, "--server: \(error)")
        }
    }

    /// Throws: 65, 66, 77 for a file that is no key, is not there, or is not to be read; 69 when the clock was never set.
    func registry(
        of file: String, signer: PublisherKey?, publishers: [Publisher]
    ) throws(CommandFailure) -> OfflineRegistry {
        let project = try OfflineProject(file: file)
        guard OfflineRegistry.isSet(OfflineRegistry.systemTime()) else {
            throw CommandFailure(
                .unavailable,
                "the clock was never set: without a server devices agree by it, to 5 minutes; set it")
        }
        return OfflineRegistry(
            project, signer: signer, trust: publishers.isEmpty ? .members : .publishers(publishers))
    }

    /// What it does is told by its status.
    static var silence: Logger {
        var log = Logger(label: "nearby") { StreamLogHandler.standardError(label: $0) }
        log.logLevel = .critical
        return log
    }

    /// Nil when nothing goes by sound. Throws: 69 when there is no thread for it.
    func sound() throws -> AudioMedium? {
        guard medium != .ble else { return nil }
        return try AudioMedium.open(
            playback: onlyScan ? nil : ClientOptions.path(playback),
            capture: onlyBroadcast ? nil : ClientOptions.path(capture),
            settings: offline == nil ? AudioMediumSettings() : .offline)
    }

    /// Nil when nothing goes by Bluetooth, and when it cannot where sound goes on without it.
    ///
    /// Throws: 69 or 77 when there is no radio, as 'nearby ble doctor' tells it; but not where there is sound.
    func bluetooth() throws -> BLEMedium? {
        guard medium != .audio else { return nil }
        let told = LastWords()
        do throws(BLEError) {
            return try BLEMedium(try RadioNameOption.resolved(radio ?? "auto")) { told.write($0) }
        } catch {
            guard medium == .both else { throw error }
            StandardError.write("no Bluetooth, by sound alone: \(error)")
            return nil
        }
    }

    private static func path(_ name: String) -> AudioPath {
        name.contains("/") || name.hasSuffix(".wav") ? .file(name) : .device(name)
    }
}
