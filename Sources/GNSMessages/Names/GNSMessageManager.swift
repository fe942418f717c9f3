import Foundation
import Nearby

/// Publishes and subscribes to messages between devices nearby: the first object of an app.
///
///     let manager = GNSMessageManager(apiKey: "…")
///     let publication = manager.publication(with: GNSMessage(content: Data("Anna".utf8)))
///
/// Publications and subscriptions last as long as they are held, and no longer than this. Managers find one another if their
/// API keys are the same. What media there are, and who matches tokens, is the environment's: ``GNSEnvironment``.
public final class GNSMessageManager: NSObject, Sendable {
    let link: EngineLink
    let log: DebugLog
    let executor: GNSExecutor
    let environment: GNSEnvironment
    let operationStore: BackgroundOperationStore
    private let hasBLE: Bool
    private let errors: ErrorStates
    private let permissionKey: UInt64

    /// With the default parameters.
    ///
    /// - Parameter apiKey: of the project; devices with another one are not found.
    public convenience init(apiKey: String) { self.init(apiKey: apiKey, paramsBlock: nil) }

    /// Makes media and an engine as ``GNSEnvironment/current`` says now; later changes to it have no effect.
    ///
    /// - Parameter paramsBlock: called at once with the defaults, to change them; nil leaves them.
    public init(apiKey: String, paramsBlock: GNSMessageManagerParamsBlock?) {
        let params = GNSMessageManagerParams()
        paramsBlock?(params)
        let environment = GNSEnvironment.current
        let log = DebugLog(environment.log)
        let media = environment.makeMedia(
            GNSMediaRequest(
                apiKey: apiKey,
                shouldUseBestAudioSessionCategory: params.shouldUseBestAudioSessionCategory))
        let permissions = environment.permissions
        let registry = environment.makeRegistry(apiKey)
        let engine = NearbyEngine(
            media: media, registry: registry, beacons: environment.makeBeaconRegistry(apiKey, registry),
            permission: permissions.current,
            settings: environment.engineSettings, clock: environment.clock, log: log.engineLog,
            trace: { log.note($0) })
        let link = EngineLink(engine)
        (self.environment, self.log, self.link) = (environment, log, link)
        executor = params.executor ?? environment.executor
        hasBLE = media.contains { $0.medium == .ble }
        operationStore = BackgroundOperationStore(environment.store, apiKey: apiKey, log: log)
        errors = ErrorStates(params, executor: executor, environment: environment)
        permissionKey = permissions.observe { permission in
            link.tell { await $0.setPermission(permission) }
        }
        super.init()
        log.say("Server URL: \(environment.registryAddress), path: /")
        log.say("Device ID: (null)")
        errors.follow(link)
    }

    deinit {
        environment.permissions.ignore(permissionKey)
        errors.close()
        link.close()
    }

    // MARK: Publishing and subscribing

    /// Publishes a message by both media and in both directions, as long as what it returns is held.
    public func publication(with message: GNSMessage?) -> (any GNSPublication)! {
        publication(with: message, paramsBlock: nil)
    }

    /// Publishes a message as long as what it returns is held. One without content stays inactive.
    ///
    /// - Parameter paramsBlock: called at once with the defaults, to change them; nil leaves them.
    public func publication(
        with message: GNSMessage?, paramsBlock: GNSPublicationParamsBlock?
    ) -> (any GNSPublication)! {
        let params = GNSPublicationParams()
        paramsBlock?(params)
        return HeldPublication(message, params, of: self)
    }

    /// - Parameters:
    ///   - messageFoundHandler: called when a device nearby publishes a message that is wanted.
    ///   - messageLostHandler: called, with the same object, when that device is out of reach or publishes it no more.
    public func subscription(
        messageFoundHandler: GNSMessageHandler?, messageLostHandler: GNSMessageHandler?
    ) -> (any GNSSubscription)! {
        subscription(
            messageFoundHandler: messageFoundHandler, messageLostHandler: messageLostHandler, paramsBlock: nil
        )
    }

    /// Looks for messages as long as what it returns is held.
    ///
    /// - Parameters:
    ///   - messageFoundHandler: called when a device nearby publishes a message that is wanted.
    ///   - messageLostHandler: called, with the same object, when that device is out of reach or publishes it no more.
    ///   - paramsBlock: called at once with the defaults, to change them; nil leaves them: all messages of the project.
    public func subscription(
        messageFoundHandler: GNSMessageHandler?, messageLostHandler: GNSMessageHandler?,
        paramsBlock: GNSSubscriptionParamsBlock?
    ) -> (any GNSSubscription)! {
        let params = GNSSubscriptionParams()
        paramsBlock?(params)
        return HeldSubscription(
            params, found: messageFoundHandler, lost: messageLostHandler, of: self, hasBLE: hasBLE)
    }

    // MARK: The app

    /// What happens inside is printed from now on, by this process's managers. Off by default.
    public static func setDebugLoggingEnabled(_ enabled: Bool) { DebugLog.isEnabled = enabled }

    /// Whether this process's managers print what happens inside.
    public static func isDebugLoggingEnabled() -> Bool { DebugLog.isEnabled }

    /// In the background only operations that allow it go on, by BLE. A desktop or a box does not tell of it by itself; not in
    /// the original.
    public func setInBackground(_ isInBackground: Bool) {
        link.tell { await $0.setBackground(isInBackground) }
    }
}
