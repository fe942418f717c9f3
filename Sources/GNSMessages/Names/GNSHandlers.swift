// Handlers and blocks as the documents name them. They are called on the main thread unless a ``GNSExecutor`` says otherwise,
// so they may touch what belongs to it, and are not `@Sendable`.

/// Told of a message, which is never nil.
public typealias GNSMessageHandler = (GNSMessage?) -> Void

/// True: something stands in the way.
public typealias GNSErrorStateHandler = (Bool) -> Void

/// Told what a publication or subscription does from now on.
public typealias GNSOperationStatusHandler = (GNSOperationStatus) -> Void

/// True: the user lets this device find others and be found.
public typealias GNSPermissionHandler = (Bool) -> Void

/// Asks the user, and calls the handler it is given when the user has answered.
public typealias GNSPermissionRequestHandler = (GNSPermissionHandler?) -> Void

/// Changes a manager's parameters before it is made; called once, never with nil.
public typealias GNSMessageManagerParamsBlock = (GNSMessageManagerParams?) -> Void
/// Changes a publication's parameters before it begins; called once, never with nil.
public typealias GNSPublicationParamsBlock = (GNSPublicationParams?) -> Void
/// Changes a subscription's parameters before it begins; called once, never with nil.
public typealias GNSSubscriptionParamsBlock = (GNSSubscriptionParams?) -> Void
/// Changes a strategy before it is made; called once, never with nil.
public typealias GNSStrategyParamsBlock = (GNSStrategyParams?) -> Void
/// Changes a strategy for beacons before it is made; called once, never with nil.
public typealias GNSBeaconStrategyParamsBlock = (GNSBeaconStrategyParams?) -> Void
