import AudioMedium
import Foundation
import Logging
import Nearby

/// The media, the registry, the user's permission, the clock and the log that message managers work with. An
/// app sets ``current`` once, before its first manager; a manager keeps the environment that it was made
/// with.
///
///     var environment = GNSEnvironment()
///     environment.makeMedia = { _ in [microphoneAndSpeaker] }
///     GNSEnvironment.current = environment
public struct GNSEnvironment: Sendable {
    /// Makes the drivers of one manager, at most one for each medium. By default it makes one for ALSA's
    /// default microphone and loudspeaker. It leaves out a medium that cannot be made.
    public var makeMedia: @Sendable (GNSMediaRequest) -> [any MediumDriver] = { _ in
        do {
            return [try AudioMedium.alsa()]
        } catch {
            Logger(label: "nearby.messages").error("\(error)")
            return []
        }
    }
    /// Makes one device's connection to the registry that matches tokens for this API key. By default the
    /// registry lives in this process.
    public var makeRegistry: @Sendable (_ apiKey: String) -> any TokenRegistry
    /// Returns the registry that knows beacons, given the registry that ``makeRegistry`` made. By default
    /// that is the same object if it knows beacons, as a server does. If it returns `nil`, a beacon is a
    /// message that holds the beacon's id (``RawBeacon``).
    public var makeBeaconRegistry: @Sendable (_ apiKey: String, any TokenRegistry) -> (any BeaconRegistry)? =
        {
            $1 as? any BeaconRegistry
        }
    /// The address of the registry, for the debug log.
    public var registryAddress = "in-process"
    /// The executor that calls all handlers.
    public var executor = GNSExecutor.main
    /// Asks the user about an operation that has no `permissionRequestHandler`, for example by a desktop's
    /// dialog or a terminal's prompt. It calls its argument with the answer, on any thread. If it is `nil`,
    /// the user stays undecided until ``GNSPermission/setGranted(_:)``.
    public var askPermission: (@Sendable (_ answer: @escaping @Sendable (Bool) -> Void) -> Void)?
    /// Tells the user that Bluetooth is off, if ``GNSMessageManagerParams/shouldShowBluetoothPowerAlert``.
    public var showBluetoothPowerAlert: (@Sendable () -> Void)?
    /// Called when a published message is over its limits. It fails an assertion, and does nothing if
    /// assertions are off.
    public var overLimit: @Sendable (String) -> Void = { assertionFailure($0) }
    /// The clock of the managers' engines; a simulation has its own. The default registry has a clock of its
    /// own.
    public var clock = EngineClock.continuous()
    /// The times and limits of each manager's engine.
    public var engineSettings = EngineSettings.standard
    /// The logger for warnings and errors, and for the debug log:
    /// ``GNSMessageManager/setDebugLoggingEnabled(_:)``.
    public var log = Logger(label: "nearby.messages")

    let store: any GNSStateStore
    let permissions: PermissionAuthority

    /// - Parameter store: keeps what outlives the process.
    public init(store: any GNSStateStore = GNSFileStore.standard) {
        self.store = store
        permissions = PermissionAuthority(store)
        makeRegistry = { GNSEnvironment.localRegistries.device(apiKey: $0) }
    }

    private static let localRegistries = GNSLocalRegistries()
    private static let process = Locked(GNSEnvironment())
    @TaskLocal private static var scoped: GNSEnvironment?

    /// The environment in force here: the one of ``run(_:)``, or else the process's.
    public static var current: GNSEnvironment {
        get { scoped ?? process.withLock { $0 } }
        set { process.withLock { $0 = newValue } }
    }

    /// Runs `body` as if this were the process's environment, so that several devices can live in one
    /// process.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try GNSEnvironment.$scoped.withValue(self, operation: body)
    }
}

/// A manager's settings of its media.
public struct GNSMediaRequest: Sendable {
    /// The manager's API key: projects may have media of their own.
    public var apiKey: String
    /// True if sound should suit tokens, not music:
    /// ``GNSMessageManagerParams/shouldUseBestAudioSessionCategory``.
    public var shouldUseBestAudioSessionCategory: Bool
}
