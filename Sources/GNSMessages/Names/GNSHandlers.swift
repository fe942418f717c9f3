// Handlers and blocks as the original documentation names them. They are called on the main thread unless a
// ``GNSExecutor`` says otherwise. They may therefore use what belongs to that thread, and are not
// `@Sendable`.

/// Receives a message, which is never `nil`.
public typealias GNSMessageHandler = (GNSMessage?) -> Void

/// Receives true when an obstacle appears, and false when it is gone.
public typealias GNSErrorStateHandler = (Bool) -> Void

/// Receives the new status of a publication or subscription.
public typealias GNSOperationStatusHandler = (GNSOperationStatus) -> Void

/// Receives true if the user lets this device find others and be found.
public typealias GNSPermissionHandler = (Bool) -> Void

/// Asks the user, and calls the given handler when the user has answered.
public typealias GNSPermissionRequestHandler = (GNSPermissionHandler?) -> Void

/// Changes a manager's parameters before it is made; called once, never with `nil`.
public typealias GNSMessageManagerParamsBlock = (GNSMessageManagerParams?) -> Void
/// Changes a publication's parameters before it begins; called once, never with `nil`.
public typealias GNSPublicationParamsBlock = (GNSPublicationParams?) -> Void
/// Changes a subscription's parameters before it begins; called once, never with `nil`.
public typealias GNSSubscriptionParamsBlock = (GNSSubscriptionParams?) -> Void
/// Changes a strategy before it is made; called once, never with `nil`.
public typealias GNSStrategyParamsBlock = (GNSStrategyParams?) -> Void
/// Changes a strategy for beacons before it is made; called once, never with `nil`.
public typealias GNSBeaconStrategyParamsBlock = (GNSBeaconStrategyParams?) -> Void
