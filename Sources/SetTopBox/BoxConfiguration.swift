import AcousticModem
import AudioIO
import AudioMedium
import Nearby
import NearbyOffline

/// The configuration of a set-top box: what it publishes and receives, how it sounds, when it is silent, and
/// which registry connects it with apps. All settings have defaults that work, except ``registry``.
///
///     var box = BoxConfiguration(registry: .server(.init(url: "https://nearby.example.com", apiKey: key)))
///     box.announcement = try Message("living room", type: "screen")
///     box.quietHours = try QuietHours(["22:00-07:00"], in: .named("Europe/Berlin"))
public struct BoxConfiguration: Sendable, Equatable {
    /// The message that the box publishes; `nil` if it publishes nothing and only receives messages.
    public var announcement: Message?
    /// The filter of the apps' messages that the box receives; `nil` if it receives none.
    public var receives: MessageFilter?
    /// The devices, the waveform and the loudness.
    public var sound: BoxSound
    /// The hours in which the box does not sound.
    public var quietHours: QuietHours
    /// The range of a token's life. Each life is drawn anew from it.
    public var rotation: ClosedRange<Duration>
    /// The registry that connects the box with those who hear it.
    public var registry: BoxRegistry

    /// - Parameter registry: a server, or a key that all devices of the project have.
    public init(
        registry: BoxRegistry, announcement: Message? = nil, receives: MessageFilter? = .everything,
        sound: BoxSound = BoxSound(), quietHours: QuietHours = .none,
        rotation: ClosedRange<Duration> = EngineSettings.standard.rotation
    ) {
        (self.registry, self.announcement, self.receives) = (registry, announcement, receives)
        (self.sound, self.quietHours, self.rotation) = (sound, quietHours, rotation)
    }

    /// True if the box has a microphone, which it then uses.
    public var listens: Bool { sound.capture != nil }

    /// The strategy by which the box finds apps and is found: by sound alone. Without a microphone it
    /// broadcasts, and an app that scans hears it; the registry then gives each of them the other's messages.
    public var strategy: Strategy { Strategy(media: [.audio], mode: listens ? .both : .broadcast) }

    /// The engine's settings, with this box's rotation of tokens.
    public var engineSettings: EngineSettings {
        var settings = EngineSettings()
        settings.rotation = rotation
        return settings
    }

    /// The modem's settings.
    public var mediumSettings: AudioMediumSettings {
        // Without a server whole messages go by sound, in frames that are decoded wherever tokens are.
        let sealed: WaveformProfile? = if case .offline = registry { .dsssFar } else { nil }
        return AudioMediumSettings(
            profile: sound.profile, sealedProfile: sealed, levelDBFS: sound.levelDBFS)
    }
}

/// The settings of a box's sound.
public struct BoxSound: Sendable, Hashable {
    /// The loudspeaker: an ALSA device, or a WAV file or pipe in its place.
    public var playback: AudioPath
    /// The microphone; `nil` if there is none and the box only broadcasts.
    public var capture: AudioPath?
    /// The waveform of the frames.
    public var profile: WaveformProfile
    /// The level of the waveform's peak, −60 to 0 dBFS.
    public var levelDBFS: Double
    /// The silence between two frames, 0 to 30 s. With 0 the box never stops; one with a microphone still
    /// leaves at least the time to listen.
    public var pauseSeconds: Double

    /// Makes settings whose defaults are: broadcast continuously, by `dsss`, at −6 dBFS on the default
    /// device, without a microphone.
    public init(
        playback: AudioPath = .device("default"), capture: AudioPath? = nil,
        profile: WaveformProfile = .dsss, levelDBFS: Double = -6, pauseSeconds: Double = 0
    ) {
        (self.playback, self.capture, self.profile) = (playback, capture, profile)
        (self.levelDBFS, self.pauseSeconds) = (levelDBFS, pauseSeconds)
    }
}

/// The registry that connects a box with those who hear it.
public enum BoxRegistry: Sendable, Equatable {
    /// A server such as `nearby serve`.
    case server(Server)
    /// No server: a key that all devices of the project have, and messages that go by sound as a whole.
    case offline(Offline)

    /// The server's address, and the API key of the requests.
    public struct Server: Sendable, Hashable {
        /// The server's URL, such as `https://nearby.example.com`.
        public var url: String
        /// The project's API key.
        public var apiKey: String
        /// A file of certificates (PEM) to trust in place of the system's; `nil` means the system's.
        public var trustRoots: String?
        /// A file that keeps the box's registration over power cuts; `nil` if the box registers anew.
        public var deviceFile: String?
        /// The name by which the project's owner finds the box among all: 1 to 64 printable ASCII characters;
        /// `nil` if it has none. The server takes it when the box registers.
        public var label: String?

        /// - Parameters:
        ///   - url: `http://` or `https://`, a name, perhaps a port.
        ///   - apiKey: the key that `nearby keys create` prints.
        public init(
            url: String, apiKey: String, trustRoots: String? = nil, deviceFile: String? = nil,
            label: String? = nil
        ) {
            (self.url, self.apiKey, self.trustRoots) = (url, apiKey, trustRoots)
            (self.deviceFile, self.label) = (deviceFile, label)
        }
    }

    /// The project's key, the signer of the box's message, and the publishers that it trusts.
    public struct Offline: Sendable, Equatable {
        /// The project. Whoever has its key can read and publish what the project's devices can.
        public var project: OfflineProject
        /// The key that signs the box's message; `nil` if the message is not signed.
        public var signer: PublisherKey?
        /// The publishers whose messages the box accepts.
        public var trust: OfflineTrust

        /// - Parameter trust: by default everyone who has the key.
        public init(project: OfflineProject, signer: PublisherKey? = nil, trust: OfflineTrust = .members) {
            (self.project, self.signer, self.trust) = (project, signer, trust)
        }

        /// Returns true if all parts are equal, the signer's secret included.
        public static func == (a: Offline, b: Offline) -> Bool {
            a.project == b.project && a.signer?.bytes == b.signer?.bytes && a.trust == b.trust
        }
    }
}
