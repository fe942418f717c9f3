import Foundation
import Nearby

/// Publishes and subscribes to messages between devices nearby: the first object of an app.
///
///     let manager = GNSMessageManager(apiKey: "…")
///     let publication = manager.publication(with: GNSMessage(content: Data("Anna".utf8)))
///
/// Publications and subscriptions last as long as the app holds them, and no longer than their manager.
/// Managers find one another if their API keys are the same. The environment decides which media there are
/// and which registry matches tokens: ``GNSEnvironment``.
public final class GNSMessageManager: NSObject, Sendable {
    let link: EngineLink
    let log: DebugLog
    let executor: GNSExecutor
    let environment: GNSEnvironment
    let operationStore: BackgroundOperationStore
    private let hasBLE: Bool
    private let errors: ErrorStates
    private let permissionKey: UInt64

    /// Makes a manager with the default parameters.
    ///
    /// - Parameter apiKey: the project's key; devices with another key are not found.
    public convenience init(apiKey: String) { self.init(apiKey: apiKey, paramsBlock: nil) }

    /// Makes media and an engine as ``GNSEnvironment/current`` says now; later changes to it have no effect.
    ///
    /// - Parameter paramsBlock: called at once with the defaults, to change them; `nil` leaves them.
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

    /// Publishes a message by both media and in both directions, as long as the app holds the returned
    /// object.
    public func publication(with message: GNSMessage?) -> (any GNSPublication)! {
        publication(with: message, paramsBlock: nil)
    }

    /// Publishes a message as long as the app holds the returned object. A message without content stays
    /// inactive.
    ///
    /// - Parameter paramsBlock: called at once with the defaults, to change them; `nil` leaves them.
    public func publication(
        with message: GNSMessage?, paramsBlock: GNSPublicationParamsBlock?
    ) -> (any GNSPublication)! {
        let params = GNSPublicationParams()
        paramsBlock?(params)
        return HeldPublication(message, params, of: self)
    }

    /// Looks for all messages of the project, as long as the app holds the returned object.
    ///
    /// - Parameters:
    ///   - messageFoundHandler: called when a device nearby publishes a message that is wanted.
    ///   - messageLostHandler: called, with the same object, when that device is out of reach or stops
    ///     publishing the message.
    public func subscription(
        messageFoundHandler: GNSMessageHandler?, messageLostHandler: GNSMessageHandler?
    ) -> (any GNSSubscription)! {
        subscription(
            messageFoundHandler: messageFoundHandler, messageLostHandler: messageLostHandler, paramsBlock: nil
        )
    }

    /// Looks for messages as long as the app holds the returned object.
    ///
    /// - Parameters:
    ///   - messageFoundHandler: called when a device nearby publishes a message that is wanted.
    ///   - messageLostHandler: called, with the same object, when that device is out of reach or stops
    ///     publishing the message.
    ///   - paramsBlock: called at once with the defaults, to change them. If it is `nil`, the subscription is
    ///     for all messages of the project.
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

    /// Switches the debug log of this process's managers on or off. It is off by default.
    public static func setDebugLoggingEnabled(_ enabled: Bool) { DebugLog.isEnabled = enabled }

    /// Returns true if this process's managers print what happens inside.
    public static func isDebugLoggingEnabled() -> Bool { DebugLog.isEnabled }

    /// Tells the engine that the app is in the background, or is no longer. In the background only operations
    /// that allow it go on, by BLE. A desktop or a box does not report this by itself. The original has no
    /// such function.
    public func setInBackground(_ isInBackground: Bool) {
        link.tell { await $0.setBackground(isInBackground) }
    }
}
