// Handlers and blocks as the documents name them. They are called on the main thread unless a ``GNSExecutor`` says otherwise,
// so they may touch what belongs to it, and are not `@Sendable`.

public typealias GNSMessageHandler = (GNSMessage?) -> Void

/// True: something stands in the way.
public typealias GNSErrorStateHandler = (Bool) -> Void

public typealias GNSOperationStatusHandler = (GNSOperationStatus) -> Void

/// True: the user lets this device find others and be found.
public typealias GNSPermissionHandler = (Bool) -> Void

/// Asks the user, and calls the handler it is given when the user has answered.
public typealias GNSPermissionRequestHandler = (GNSPermissionHandler?) -> Void

public typealias GNSMessageManagerParamsBlock = (GNSMessageManagerParams?) -> Void
public typealias GNSPublicationParamsBlock = (GNSPublicationParams?) -> Void
public typealias GNSSubscriptionParamsBlock = (GNSSubscriptionParams?) -> Void
public typealias GNSStrategyParamsBlock = (GNSStrategyParams?) -> Void
public typealias GNSBeaconStrategyParamsBlock = (GNSBeaconStrategyParams?) -> Void
