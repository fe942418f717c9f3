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

/// The settings of commands that publish, subscribe and find, made from their options: the server or its
/// substitute, sound and radio, and the duration.
struct LiveSettings {
    var server: String?
    var key: String?
    var keyFile: String?
    var trust: String?
    var offline: String?
    var medium: MediumChoice
    var radio: String?
    var capture: String
    var playback = "default"
    /// The duration in seconds; `nil` to run until Ctrl-C.
    var seconds: Double?
    var mode: Strategy.Mode
    /// The direction without which the command is useless if ``mode`` has both.
    var purpose: Role
    var isMutual = false

    /// The direction whose device the command needs. If that device fails at the start, the command ends.
    var neededRole: Role {
        mode == .broadcast ? .broadcast : mode == .scan ? .scan : purpose
    }

    /// Throws: `ValidationError` if options contradict each other or have invalid values.
    func validate() throws {
        guard radio == nil || medium != .audio else {
            throw ValidationError("--radio needs --medium ble or --medium both")
        }
        _ = try RadioNameOption.name(radio ?? "auto")
        guard key == nil || keyFile == nil else {
            throw ValidationError("give either --key or --key-file, not both")
        }
        if offline != nil {
            guard server == nil, key == nil, keyFile == nil, trust == nil else {
                throw ValidationError("give either --offline, or --server, --key-file (--key) and --trust")
            }
            guard medium == .audio else {
                throw ValidationError(
                    "--offline goes by sound: a sealed message has no room in an advertisement; leave --medium out"
                )
            }
            guard !isMutual else {
                throw ValidationError(
                    "--mutual needs a server: without one, devices do not learn which others hear them")
            }
        }
        guard seconds.map({ $0 > 0 && $0 < 1e9 }) ?? true else {
            throw ValidationError("--seconds must be more than 0")
        }
    }

    var strategy: Strategy {
        Strategy(media: medium.media, mode: mode, isMutual: isMutual)
    }

    private var environmentKey: String? {
        ProcessInfo.processInfo.environment["NEARBY_KEY"].flatMap { $0.isEmpty ? nil : $0 }
    }
    var hasKey: Bool { key != nil || keyFile != nil || environmentKey != nil }

    /// Returns the API key. Throws: 64 if there is none, or an invalid one; the errors of
    /// ``SecretFile/word(_:)``.
    private func apiKey() throws(CommandFailure) -> String {
        if let keyFile { return try SecretFile.word(keyFile) }
        guard let key = key ?? environmentKey else {
            throw CommandFailure(
                .usage,
                "no API key: give --key-file, or set NEARBY_KEY ('nearby keys create' creates a key), or use --offline without a server"
            )
        }
        Redaction.learn(key)
        guard SecretFile.isPlain(key) else {
            throw CommandFailure(
                .usage,
                "\(self.key == nil ? "NEARBY_KEY" : "--key"): expected one word of ASCII letters, digits and signs"
            )
        }
        return key
    }

    /// The settings of the same command over Bluetooth alone: beacons use no other medium.
    var forBeacons: LiveSettings {
        var settings = self
        settings.medium = .ble
        return settings
    }

    /// Makes the client of the server. Throws: 64 for an invalid address or key; 65, 66 or 77 for a file
    /// without content of its kind, a missing file, or an unreadable one. The file is that of the key or of
    /// the trusted certificates.
    func client() throws(CommandFailure) -> NearbyClient {
        let key = try apiKey()
        var settings = NearbyClientSettings()
        settings.trustRoots = trust
        do throws(InvalidTrustRoots) { try settings.checkTrustRoots() } catch {
            throw CommandFailure(error.kind.exitStatus, "--trust: \(error)")
        }
        do throws(NearbyClient.InvalidServer) {
            return try NearbyClient(
                server: server ?? "http://127.0.0.1:8480", apiKey: key, settings: settings,
                log: LiveSettings.silence)
        } catch {
            throw CommandFailure(.usage, "--server: \(error)")
        }
    }

    /// Makes the registry that replaces a server. Throws: 65, 66 or 77 for a file that is not a key, is
    /// missing, or is unreadable; 69 if the clock was never set.
    func registry(
        of file: String, signer: PublisherKey?, publishers: [Publisher]
    ) throws(CommandFailure) -> OfflineRegistry {
        let project = try OfflineProject(file: file)
        guard OfflineRegistry.isSet(OfflineRegistry.systemTime()) else {
            throw CommandFailure(.unavailable, OfflineRegistry.unsetClock)
        }
        return OfflineRegistry(
            project, signer: signer, trust: publishers.isEmpty ? .members : .publishers(publishers))
    }

    /// A logger that is silent below `critical`, because the engine's status reports everything else.
    static var silence: Logger {
        var log = Logger(label: "nearby") { StreamLogHandler.standardError(label: $0) }
        log.logLevel = .critical
        return log
    }

    /// The device or file that plays tokens; `nil` if the command plays nothing.
    private var playbackPath: AudioPath? {
        medium == .ble || mode == .scan ? nil : LiveSettings.path(playback)
    }

    /// Protects the files that the command reads.
    ///
    /// - Parameter others: files that the command reads in addition to those of these settings.
    ///
    /// Throws: 64 if playback would overwrite a key or another file that is read.
    func protectInputs(_ others: [String] = []) throws {
        guard let playbackPath else { return }
        let files = [keyFile, trust, offline].compactMap { $0 } + others
        try OutputFile.requireDistinct(playbackPath, from: files.map { AudioPath($0) })
    }

    /// Opens the audio medium; `nil` if the command does not use sound. Throws: 69 if the system has no
    /// thread for it; the errors of ``protectInputs(_:)``.
    func sound(_ conditions: LiveConditions) throws -> AudioMedium? {
        guard medium != .ble else { return nil }
        try protectInputs()
        return try AudioMedium.open(
            playback: playbackPath,
            capture: mode == .broadcast ? nil : LiveSettings.path(capture),
            settings: offline == nil ? AudioMediumSettings() : .offline,
            explain: { conditions.note($0, $1) })
    }

    /// Opens the Bluetooth medium; `nil` if the command does not use Bluetooth, or if there is no radio and
    /// sound suffices.
    ///
    /// Throws: 69 or 77 if there is no radio and no sound; 'nearby ble doctor' explains it.
    func bluetooth(_ conditions: LiveConditions) throws -> BLEMedium? {
        guard medium != .audio else { return nil }
        do throws(BLEError) {
            return try BLEMedium(
                try RadioNameOption.resolved(radio ?? "auto"), explain: { conditions.note($0, $1, $2) })
        } catch {
            guard medium == .both else { throw error }
            conditions.leaveOut(.ble)
            StandardError.write("no Bluetooth, using sound only: \(error)")
            return nil
        }
    }

    private static func path(_ name: String) -> AudioPath {
        name.contains("/") || name.hasSuffix(".wav") ? .file(name) : .device(name)
    }
}

extension InvalidTrustRoots.Kind {
    fileprivate var exitStatus: ExitStatus {
        switch self {
        case .notThere: .noInput
        case .notAllowed: .noPermission
        case .noCertificates: .badData
        }
    }
}
