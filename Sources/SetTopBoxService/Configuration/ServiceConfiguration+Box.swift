import AcousticModem
import AudioIO
import CommandOutput
import Glibc
import Nearby
import NearbyOffline
import SetTopBox

extension ServiceConfiguration {
    /// The files that the configuration names and the service reads.
    var files: [AudioPath] {
        [server.keyFile, server.trust, offline.keyFile, offline.signerFile].filter { !$0.isEmpty }
            .map { .file($0) }
    }

    /// Returns the box's configuration. It turns names into waveforms, zones and keys, and reads the keys'
    /// files.
    ///
    /// - Parameter environment: returns a variable of the process's environment, by its name.
    ///
    /// Throws an error with one line and the exit code that goes with it.
    package func box(
        environment: (String) -> String? = ServiceConfiguration.environment
    ) throws(CommandFailure) -> BoxConfiguration {
        var box = BoxConfiguration(registry: try registry(environment))
        box.sound = try sound()
        box.quietHours = try quietHours(environment)
        box.rotation = .seconds(rotationSeconds[0])...(.seconds(rotationSeconds[1]))
        do throws(NearbyError) {
            box.announcement =
                announce.text.isEmpty
                ? nil : try Message(announce.text, type: announce.type, namespace: announce.namespace)
        } catch {
            throw CommandFailure(.badData, "announce: \(error)")
        }
        let filter = MessageFilter(types: receive.types, namespace: receive.namespace)
        box.receives = receive.isEnabled ? filter : nil
        do throws(BoxConfigurationError) { try box.validate() } catch {
            throw CommandFailure(.badData, "\(error)")
        }
        try validateDelivery()
        return box
    }

    /// Returns a line for people if the configuration contains a key and others may read its file; otherwise
    /// `nil`.
    package func warning(of path: String) -> String? {
        guard !server.key.isEmpty, let warning = SecretFile.warning(path) else { return nil }
        return "\(warning), or server.key-file"
    }

    /// Returns a variable of this process's environment.
    package static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private func sound() throws(CommandFailure) -> BoxSound {
        guard let profile = WaveformProfile.named(audio.profile) else {
            let names = WaveformProfile.boxes.map(\.name)
            let near = NearName.nearest(to: audio.profile, of: names, most: 1)
            let hint = near.first.map { "perhaps \($0)" } ?? names.joined(separator: ", ")
            throw CommandFailure(.badData, "audio.profile: there is no '\(audio.profile)': \(hint)")
        }
        guard !audio.playback.isEmpty else {
            throw CommandFailure(
                .badData, "audio.playback: expected a loudspeaker; 'default' is the system's")
        }
        return BoxSound(
            playback: ServiceConfiguration.path(audio.playback),
            capture: audio.capture.isEmpty ? nil : ServiceConfiguration.path(audio.capture), profile: profile,
            levelDBFS: audio.levelDBFS, pauseSeconds: audio.pauseSeconds)
    }

    private static func path(_ name: String) -> AudioPath {
        name.contains("/") || name.hasSuffix(".wav") ? .file(name) : .device(name)
    }

    private func quietHours(_ environment: (String) -> String?) throws(CommandFailure) -> QuietHours {
        guard !quiet.hours.isEmpty else { return .none }
        guard !quiet.timeZone.isEmpty else {
            throw CommandFailure(
                .badData, "quiet.time-zone: quiet.hours need a time zone, such as Europe/Berlin")
        }
        let zone: LocalTime
        do throws(LocalTimeError) {
            zone = try .named(quiet.timeZone, in: environment("TZDIR") ?? LocalTime.folder)
        } catch {
            throw CommandFailure(.badData, "quiet.time-zone: \(error)")
        }
        do throws(QuietHoursError) { return try QuietHours(quiet.hours, in: zone) } catch {
            throw CommandFailure(.badData, "quiet.hours: \(error)")
        }
    }

    /// Checks the program, the socket's path and the metrics file's name. A program that is there now may be
    /// gone later, but one that is not there at all is better reported now.
    private func validateDelivery() throws(CommandFailure) {
        if let program = deliver.onMessage.first {
            guard program.hasPrefix("/") else {
                throw CommandFailure(
                    .badData,
                    "deliver.on-message: '\(program)' must be an absolute path, which begins with '/'")
            }
            guard access(program, X_OK) == 0 else {
                throw CommandFailure(
                    .badData, "deliver.on-message: \(program): \(String(cString: strerror(errno)))")
            }
        }
        for (name, path) in [("deliver.socket", deliver.socket), ("token.socket", tokenSocket)] {
            // The kernel has room for so many bytes (sockaddr_un).
            guard path.utf8.count < 108 else {
                throw CommandFailure(
                    .badData, "\(name): the path must have at most 107 bytes, not \(path.utf8.count)")
            }
        }
        guard tokenSocket.isEmpty || tokenSocket != deliver.socket else {
            throw CommandFailure(
                .badData, "token.socket: expected another path than deliver.socket's, '\(tokenSocket)'")
        }
        guard metrics.file.isEmpty || metrics.file.hasSuffix(".prom") else {
            throw CommandFailure(
                .badData, "metrics.file: '\(metrics.file)' must end in .prom, or the node exporter ignores it"
            )
        }
    }
}

extension ServiceConfiguration {
    private func registry(_ environment: (String) -> String?) throws(CommandFailure) -> BoxRegistry {
        guard offline.keyFile.isEmpty else { return try offlineRegistry(environment) }
        guard offline.signerFile.isEmpty, offline.publishers.isEmpty else {
            throw CommandFailure(
                .badData, "offline.signer-file and offline.publishers need offline.key-file")
        }
        let key: String
        if !server.key.isEmpty {
            guard server.keyFile.isEmpty else {
                throw CommandFailure(.badData, "server.key-file: set either this or server.key, not both")
            }
            guard SecretFile.isPlain(server.key) else {
                throw CommandFailure(
                    .badData, "server.key: expected one word of ASCII letters, digits and signs")
            }
            key = server.key
        } else if !server.keyFile.isEmpty {
            key = try secret(server.keyFile, "server.key-file", environment, SecretFile.word)
        } else if let own = environment("NEARBY_KEY"), !own.isEmpty {
            guard SecretFile.isPlain(own) else {
                throw CommandFailure(
                    .badData, "$NEARBY_KEY: expected one word of ASCII letters, digits and signs")
            }
            key = own
        } else {
            throw CommandFailure(
                .badData,
                "server.key: there is none, nor server.key-file, nor $NEARBY_KEY; 'nearby keys create' creates "
                    + "one; without a server, set offline.key-file"
            )
        }
        Redaction.learn(key)
        return .server(
            .init(
                url: server.url, apiKey: key, trustRoots: server.trust.isEmpty ? nil : server.trust,
                deviceFile: deviceFile(environment), label: server.label.isEmpty ? nil : server.label))
    }

    /// Returns the file that keeps the box's registration; `nil` if there is no place for it.
    private func deviceFile(_ environment: (String) -> String?) -> String? {
        if !server.deviceFile.isEmpty { return server.deviceFile }
        // systemd lists several directories with colons between them.
        let folder = environment("STATE_DIRECTORY")?.split(separator: ":").first
        return folder.map { "\($0)/device" }
    }

    private func offlineRegistry(_ environment: (String) -> String?) throws(CommandFailure) -> BoxRegistry {
        let text = try secret(offline.keyFile, "offline.key-file", environment)
        let project: OfflineProject
        do throws(KeyFileError) { project = try OfflineProject(keyFile: text) } catch {
            throw CommandFailure(
                .badData, "offline.key-file: \(offline.keyFile): is not a project's key: \(error)")
        }
        var signer: PublisherKey?
        if !offline.signerFile.isEmpty {
            let text = try secret(offline.signerFile, "offline.signer-file", environment)
            do throws(KeyFileError) { signer = try PublisherKey(keyFile: text) } catch {
                throw CommandFailure(
                    .badData, "offline.signer-file: \(offline.signerFile): is not a publisher's key: \(error)"
                )
            }
        }
        var publishers: [Publisher] = []
        for (n, text) in offline.publishers.enumerated() {
            // The text is not repeated, because it may be the private key by mistake.
            guard let publisher = Publisher(text) else {
                throw CommandFailure(
                    .badData,
                    "offline.publishers: number \(n + 1) is not a public key as 'nearby offline signer' prints it, 43 characters"
                )
            }
            publishers.append(publisher)
        }
        return .offline(
            .init(
                project: project, signer: signer,
                trust: publishers.isEmpty ? .members : .publishers(publishers)))
    }

    /// Returns the text of a file, as `read` returns it.
    private func secret(
        _ name: String, _ setting: String, _ environment: (String) -> String?,
        _ read: (String) throws(CommandFailure) -> String = SecretFile.read
    ) throws(CommandFailure) -> String {
        var path = name
        if name.hasPrefix("credential:") {
            guard let folder = environment("CREDENTIALS_DIRECTORY") else {
                throw CommandFailure(
                    .badData,
                    "\(setting): \(name): systemd provided no credentials; add LoadCredential= to the unit")
            }
            path = "\(folder)/\(name.dropFirst("credential:".count))"
        }
        do throws(CommandFailure) {
            return try read(path)
        } catch {
            throw CommandFailure(error.status, "\(setting): \(error.message)")
        }
    }
}
