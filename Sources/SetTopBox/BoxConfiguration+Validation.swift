import AcousticModem
import Nearby
import NearbyOffline
import NearbyWire

/// An error in a box's configuration: it names the setting, and the value that was expected.
public struct BoxConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The setting's name in a configuration file: `audio.level-dbfs`.
    public var setting: String
    /// A text that says what was expected, what came, and what to do.
    public var problem: String

    /// - Parameters:
    ///   - setting: the name in a configuration file.
    ///   - problem: a text for people, without a line break.
    public init(_ setting: String, _ problem: String) { (self.setting, self.problem) = (setting, problem) }

    /// The error in one line.
    public var description: String { "\(setting): \(problem)" }
}

extension BoxConfiguration {
    /// The levels of a waveform's peak that make sense.
    package static let levelsDBFS = -60.0...0.0
    /// The pauses between two frames that do not make others lose the box.
    package static let pausesSeconds = 0.0...30.0
    /// The possible lives of a token. A server's token lives for 600 s; the next one is there well before.
    public static let rotations = Duration.seconds(10)...Duration.seconds(540)

    /// Throws an error for the first setting that is not valid.
    public func validate() throws(BoxConfigurationError) {
        try validateSound()
        guard announcement != nil || receives != nil else {
            throw BoxConfigurationError(
                "receive.enabled", "a box that says nothing and takes nothing does nothing: set announce.text"
            )
        }
        guard BoxConfiguration.rotations.contains(rotation.lowerBound),
            BoxConfiguration.rotations.contains(rotation.upperBound)
        else {
            throw BoxConfigurationError(
                "token.rotation-seconds",
                "a token is changed after 10 to 540 s, not \(rotation.lowerBound.inSeconds) to \(rotation.upperBound.inSeconds)"
            )
        }
        switch registry {
        case .server(let server):
            guard !server.apiKey.isEmpty else {
                throw BoxConfigurationError(
                    "server.key",
                    "there is none: 'nearby keys create' makes one; without a server: offline.key-file")
            }
            if let problem = WireRegistrationRequest(label: server.label).labelProblem {
                throw BoxConfigurationError("server.label", problem)
            }
        case .offline(let offline): try validate(offline)
        }
    }

    private func validateSound() throws(BoxConfigurationError) {
        guard BoxConfiguration.levelsDBFS.contains(sound.levelDBFS) else {
            throw BoxConfigurationError(
                "audio.level-dbfs", "the level of the peak is -60 to 0 dBFS, not \(sound.levelDBFS)")
        }
        guard BoxConfiguration.pausesSeconds.contains(sound.pauseSeconds) else {
            throw BoxConfigurationError(
                "audio.pause-seconds",
                "the pause between frames is 0 to 30 s, not \(sound.pauseSeconds): whoever misses four frames has lost the box"
            )
        }
        guard WaveformProfile.boxes.contains(sound.profile) else {
            throw BoxConfigurationError(
                "audio.profile",
                "'\(sound.profile.name)' carries no token of a box: \(WaveformProfile.boxes.map(\.name).joined(separator: ", "))"
            )
        }
    }

    private func validate(_ offline: BoxRegistry.Offline) throws(BoxConfigurationError) {
        guard receives == nil || listens else {
            throw BoxConfigurationError(
                "audio.capture",
                "without a server a message is heard, and the box has no microphone: name one, or set receive.enabled = false"
            )
        }
        guard let announcement else { return }
        let count =
            announcement.namespace.utf8.count + announcement.type.utf8.count + announcement.content.count
        let most = OfflineRegistry.messageByteLimit(isSigned: offline.signer != nil)
        guard count <= most, announcement.content.count < 256 else {
            throw BoxConfigurationError(
                "announce.text",
                "without a server it goes by sound: \(most) bytes at most with its type and namespace, 255 of its own, and here are \(count)"
            )
        }
    }
}

extension WaveformProfile {
    /// The profiles that carry a token and its check, and that receivers of tokens can decode.
    public static var boxes: [WaveformProfile] {
        nearby.filter { $0.tokenByteCounts.contains(Token.byteCount) }
    }
}
