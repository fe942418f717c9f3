import AudioMedium
import Foundation
import Logging
import Nearby

/// What message managers work with: media, whoever matches tokens, the user, the time. An app sets ``current`` once, before
/// its first manager; what is made later keeps what it was made with.
///
///     var environment = GNSEnvironment()
///     environment.makeMedia = { _ in [microphoneAndSpeaker] }
///     GNSEnvironment.current = environment
public struct GNSEnvironment: Sendable {
    /// The drivers of one manager, at most one for each medium. By default ALSA's default microphone and loudspeaker; the
    /// medium that cannot be made is missing.
    public var makeMedia: @Sendable (GNSMediaRequest) -> [any MediumDriver] = { _ in
        do {
            return [try AudioMedium.alsa()]
        } catch {
            Logger(label: "nearby.messages").error("\(error)")
            return []
        }
    }
    /// One device's side of whoever matches tokens for this API key. In this process by default.
    public var makeRegistry: @Sendable (_ apiKey: String) -> any TokenRegistry
    /// Whoever knows what beacons stand for, given what ``makeRegistry`` made: by default that itself, if it does, as a server
    /// does. Nil: beacons are messages that hold their ids (``RawBeacon``).
    public var makeBeaconRegistry: @Sendable (_ apiKey: String, any TokenRegistry) -> (any BeaconRegistry)? =
        {
            $1 as? any BeaconRegistry
        }
    /// Where that is, for the debug log.
    public var registryAddress = "in-process"
    /// Where handlers are called.
    public var executor = GNSExecutor.main
    /// Asks the user where an operation has no `permissionRequestHandler`: a desktop's dialog, a terminal's prompt. Calls its
    /// argument with the answer, on any thread. Nil: the user stays undecided until ``GNSPermission/setGranted(_:)``.
    public var askPermission: (@Sendable (_ answer: @escaping @Sendable (Bool) -> Void) -> Void)?
    /// Tells the user that Bluetooth is off, if ``GNSMessageManagerParams/shouldShowBluetoothPowerAlert``.
    public var showBluetoothPowerAlert: (@Sendable () -> Void)?
    /// A message over its limits was published. Fails an assertion: without assertions, nothing.
    public var overLimit: @Sendable (String) -> Void = { assertionFailure($0) }
    /// What engines go by: a simulation has its own. The registry that is there by default keeps to a clock of its own.
    public var clock = EngineClock.continuous()
    /// Times and limits of each manager's engine.
    public var engineSettings = EngineSettings.standard
    /// Where warnings and errors go, and the debug log: ``GNSMessageManager/setDebugLoggingEnabled(_:)``.
    public var log = Logger(label: "nearby.messages")

    let store: any GNSStateStore
    let permissions: PermissionAuthority

    /// - Parameter store: what outlives the process is kept there.
    public init(store: any GNSStateStore = GNSFileStore.standard) {
        self.store = store
        permissions = PermissionAuthority(store)
        makeRegistry = { GNSEnvironment.localRegistries.device(apiKey: $0) }
    }

    private static let localRegistries = GNSLocalRegistries()
    private static let process = Locked(GNSEnvironment())
    @TaskLocal private static var scoped: GNSEnvironment?

    /// The one in force here: of ``run(_:)``, or else of the process.
    public static var current: GNSEnvironment {
        get { scoped ?? process.withLock { $0 } }
        set { process.withLock { $0 = newValue } }
    }

    /// Does `body` as if this were the process's environment: several devices can live in one process.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try GNSEnvironment.$scoped.withValue(self, operation: body)
    }
}

/// For whom media are made.
public struct GNSMediaRequest: Sendable {
    /// The manager's: projects may have media of their own.
    public var apiKey: String
    /// Whether sound should suit tokens, not music: ``GNSMessageManagerParams/shouldUseBestAudioSessionCategory``.
    public var shouldUseBestAudioSessionCategory: Bool
}
