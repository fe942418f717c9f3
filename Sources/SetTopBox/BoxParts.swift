import AudioIO
import AudioMedium
import Logging
import Nearby
import NearbyClient
import NearbyOffline

/// The parts of a box and its clocks: the real ones, or those of a test.
public struct BoxParts: Sendable {
    /// A part, and the function that releases it.
    public struct Part<Content: Sendable>: Sendable {
        /// The part.
        public var content: Content
        /// Releases the part. It returns when all of the part's activity has stopped.
        public var end: @Sendable () async -> Void

        /// Makes a part, with the function that releases it.
        public init(_ content: Content, end: @escaping @Sendable () async -> Void = {}) {
            (self.content, self.end) = (content, end)
        }
    }

    /// Makes the medium for sound. It opens no device yet.
    public var makeMedium: @Sendable (BoxConfiguration) throws(BoxError) -> Part<any MediumDriver>
    /// Makes the connection to the registry. It sends nothing to it yet.
    public var makeRegistry: @Sendable (BoxConfiguration, Logger) throws(BoxError) -> Part<any TokenRegistry>
    /// The engine's clock.
    public var clock: EngineClock
    /// The time since 1970, UTC. The clock may be set while the box runs.
    public var wallClock: @Sendable () -> Duration

    /// - Parameters:
    ///   - makeMedium: by default opens ALSA's devices, or files in their place.
    ///   - makeRegistry: by default makes a `NearbyClient` or an `OfflineRegistry`.
    public init(
        makeMedium: @escaping @Sendable (BoxConfiguration) throws(BoxError) -> Part<any MediumDriver> = {
            configuration throws(BoxError) in try BoxParts.medium(of: configuration)
        },
        makeRegistry:
            @escaping @Sendable (BoxConfiguration, Logger) throws(BoxError) -> Part<any TokenRegistry> = {
                configuration, log throws(BoxError) in try BoxParts.registry(of: configuration, log: log)
            },
        clock: EngineClock = .continuous(),
        wallClock: @escaping @Sendable () -> Duration = OfflineRegistry.systemTime
    ) {
        (self.makeMedium, self.makeRegistry) = (makeMedium, makeRegistry)
        (self.clock, self.wallClock) = (clock, wallClock)
    }

    /// The request for a loudspeaker without a microphone. Such a broadcaster need not be quick: with periods
    /// of a tenth of a second, its threads wake ten times a second.
    static let playback = PCMRequest(
        sampleRatesHz: PCMRequest.playback.sampleRatesHz, periodSeconds: 0.1, bufferSeconds: 0.5)

    /// Makes a medium with ALSA's devices, or files in their place.
    public static func medium(
        of configuration: BoxConfiguration
    ) throws(BoxError) -> Part<any MediumDriver> {
        let (sound, settings) = (configuration.sound, configuration.mediumSettings)
        do {
            let medium: AudioMedium
            if case .device(let name) = sound.playback, sound.capture == nil {
                medium = try AudioMedium(
                    playback: { () throws(AudioIOError) in try ALSAPlayback(name, playback) }, capture: nil,
                    settings: settings)
            } else {
                medium = try AudioMedium.open(
                    playback: sound.playback, capture: sound.capture, settings: settings)
            }
            return Part(medium) { await medium.close() }
        } catch {
            throw .audio(error)
        }
    }

    /// Makes a server's client, or a registry that works offline with the project's key.
    public static func registry(
        of configuration: BoxConfiguration, log: Logger
    ) throws(BoxError) -> Part<any TokenRegistry> {
        switch configuration.registry {
        case .server(let server):
            var settings = NearbyClientSettings()
            settings.trustRoots = server.trustRoots
            settings.label = server.label
            do throws(InvalidTrustRoots) { try settings.checkTrustRoots() } catch {
                throw .configuration(BoxConfigurationError("server.trust", "\(error)"))
            }
            do {
                let client = try NearbyClient(
                    server: server.url, apiKey: server.apiKey, settings: settings,
                    deviceFile: server.deviceFile, log: log)
                return Part(client) { await client.shutdown() }
            } catch {
                throw .configuration(BoxConfigurationError("server.url", "\(error)"))
            }
        case .offline(let offline):
            return Part(
                OfflineRegistry(offline.project, signer: offline.signer, trust: offline.trust))
        }
    }
}
