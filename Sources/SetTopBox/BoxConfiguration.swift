import AcousticModem
import AudioIO
import AudioMedium
import Nearby
import NearbyOffline

/// All that a set-top box is told: what it says and takes, how it sounds, when it is silent, and who brings it together with
/// apps. The defaults work; only ``registry`` has none.
///
///     var box = BoxConfiguration(registry: .server(.init(url: "https://nearby.example.com", apiKey: key)))
///     box.announcement = try Message("living room", type: "screen")
///     box.quietHours = try QuietHours(["22:00-07:00"], in: .named("Europe/Berlin"))
public struct BoxConfiguration: Sendable, Equatable {
    /// What whoever finds the box finds; nil: it says nothing of itself, and takes messages all the same.
    public var announcement: Message?
    /// Which messages of apps arrive; nil: none.
    public var receives: MessageFilter?
    /// Devices, waveform and loudness.
    public var sound: BoxSound
    /// When it does not sound.
    public var quietHours: QuietHours
    /// A token is broadcast for so long, drawn anew each time.
    public var rotation: ClosedRange<Duration>
    /// Who brings the box together with those who hear it.
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

    /// Whether it has a microphone, and uses it.
    public var listens: Bool { sound.capture != nil }

    /// How the box finds apps and is found: by sound alone. Without a microphone it broadcasts, and an app that scans hears it;
    /// the registry tells either what the other says.
    public var strategy: Strategy { Strategy(media: [.audio], mode: listens ? .both : .broadcast) }

    /// What the engine is told of times.
    public var engineSettings: EngineSettings {
        var settings = EngineSettings()
        settings.rotation = rotation
        return settings
    }

    /// What the modem is told.
    public var mediumSettings: AudioMediumSettings {
        // Without a server messages go by sound as a whole, in frames that are heard wherever tokens are.
        let sealed: WaveformProfile? = if case .offline = registry { .dsssFar } else { nil }
        return AudioMediumSettings(
            profile: sound.profile, sealedProfile: sealed, levelDBFS: sound.levelDBFS)
    }
}

/// How a box sounds.
public struct BoxSound: Sendable, Hashable {
    /// The loudspeaker: an ALSA device, or a WAV file or pipe in its place.
    public var playback: AudioPath
    /// The microphone; nil: there is none, and the box only broadcasts.
    public var capture: AudioPath?
    /// What frames are sent in.
    public var profile: WaveformProfile
    /// Of the waveform's peak, −60 to 0.
    public var levelDBFS: Double
    /// Silence between two frames, 0 to 30 s. 0: the box never stops. One with a microphone leaves at least the time to listen.
    public var pauseSeconds: Double

    /// Without anything: continuously, by `dsss`, at −6 dBFS on the default device, without a microphone.
    public init(
        playback: AudioPath = .device("default"), capture: AudioPath? = nil,
        profile: WaveformProfile = .dsss, levelDBFS: Double = -6, pauseSeconds: Double = 0
    ) {
        (self.playback, self.capture, self.profile) = (playback, capture, profile)
        (self.levelDBFS, self.pauseSeconds) = (levelDBFS, pauseSeconds)
    }
}

/// Who brings a box together with those who hear it.
public enum BoxRegistry: Sendable, Equatable {
    /// A server, as `nearby serve` is one.
    case server(Server)
    /// No server: a key that all devices of the project have, and messages that go by sound as a whole.
    case offline(Offline)

    /// Where the server is, and who asks.
    public struct Server: Sendable, Hashable {
        /// Such as `https://nearby.example.com`.
        public var url: String
        /// The project's.
        public var apiKey: String
        /// A file of certificates (PEM) to trust in place of the system's; nil: the system's.
        public var trustRoots: String?

        /// - Parameters:
        ///   - url: `http://` or `https://`, a name, perhaps a port.
        ///   - apiKey: as `nearby keys create` prints it.
        public init(url: String, apiKey: String, trustRoots: String? = nil) {
            (self.url, self.apiKey, self.trustRoots) = (url, apiKey, trustRoots)
        }
    }

    /// The project's key, and who signs and is believed.
    public struct Offline: Sendable, Equatable {
        /// Whoever has it reads and says what the project's devices do.
        public var project: OfflineProject
        /// Signs what the box says; nil: it is not signed.
        public var signer: PublisherKey?
        /// Whose messages arrive.
        public var trust: OfflineTrust

        /// - Parameter trust: by default everyone who has the key.
        public init(project: OfflineProject, signer: PublisherKey? = nil, trust: OfflineTrust = .members) {
            (self.project, self.signer, self.trust) = (project, signer, trust)
        }

        /// Whether all of it is the same, the secret of the signer included.
        public static func == (a: Offline, b: Offline) -> Bool {
            a.project == b.project && a.signer?.bytes == b.signer?.bytes && a.trust == b.trust
        }
    }
}
