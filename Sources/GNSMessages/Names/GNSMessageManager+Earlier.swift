// The names of earlier versions of Swift and of the library. They do the same as today's names.

extension GNSMessageManager {
    // MARK: Swift 2

    /// ``init(apiKey:)`` in Swift 2.
    public convenience init(APIKey: String) { self.init(apiKey: APIKey, paramsBlock: nil) }

    /// ``init(apiKey:paramsBlock:)`` in Swift 2.
    public convenience init(APIKey: String, paramsBlock: GNSMessageManagerParamsBlock?) {
        self.init(apiKey: APIKey, paramsBlock: paramsBlock)
    }

    /// Publishes a message with the default strategy; the name in Swift 2.
    public func publicationWithMessage(_ message: GNSMessage?) -> (any GNSPublication)! {
        publication(with: message)
    }

    /// Publishes a message with parameters of its own; the name in Swift 2.
    public func publicationWithMessage(
        _ message: GNSMessage?, paramsBlock: GNSPublicationParamsBlock?
    ) -> (any GNSPublication)! {
        publication(with: message, paramsBlock: paramsBlock)
    }

    /// Subscribes to all messages of the project; the name in Swift 2.
    public func subscriptionWithMessageFoundHandler(
        _ messageFoundHandler: GNSMessageHandler?, messageLostHandler: GNSMessageHandler?
    ) -> (any GNSSubscription)! {
        subscription(messageFoundHandler: messageFoundHandler, messageLostHandler: messageLostHandler)
    }

    /// Subscribes with parameters of its own; the name in Swift 2.
    public func subscriptionWithMessageFoundHandler(
        _ messageFoundHandler: GNSMessageHandler?, messageLostHandler: GNSMessageHandler?,
        paramsBlock: GNSSubscriptionParamsBlock?
    ) -> (any GNSSubscription)! {
        subscription(
            messageFoundHandler: messageFoundHandler, messageLostHandler: messageLostHandler,
            paramsBlock: paramsBlock)
    }

    // MARK: Before version 1.0

    /// Publishes the message that the parameters hold; without a message the publication stays inactive.
    public func publication(with params: GNSPublicationParams) -> (any GNSPublication)! {
        HeldPublication(params.message, params, of: self)
    }

    /// Publishes the message that the parameters hold; the name in Swift 2.
    public func publicationWithParams(_ params: GNSPublicationParams) -> (any GNSPublication)! {
        publication(with: params)
    }

    /// Subscribes as the parameters say. It copies them, so that later changes to them have no effect.
    public func subscription(
        with params: GNSSubscriptionParams, messageFoundHandler: GNSMessageHandler?,
        messageLostHandler: GNSMessageHandler?
    ) -> (any GNSSubscription)! {
        subscription(
            messageFoundHandler: messageFoundHandler, messageLostHandler: messageLostHandler,
            paramsBlock: { $0?.take(params) })
    }

    /// Subscribes as the parameters say; the name in Swift 2.
    public func subscriptionWithParams(
        _ params: GNSSubscriptionParams, messageFoundHandler: GNSMessageHandler?,
        messageLostHandler: GNSMessageHandler?
    ) -> (any GNSSubscription)! {
        subscription(
            with: params, messageFoundHandler: messageFoundHandler, messageLostHandler: messageLostHandler)
    }
}

extension GNSPublicationParams {
    /// Makes parameters with a message and a strategy; `nil` as strategy means the default.
    public convenience init(message: GNSMessage?, strategy: GNSStrategy?) {
        self.init()
        self.message = message
        self.strategy = strategy ?? GNSStrategy()
    }
}

extension GNSSubscriptionParams {
    /// Looks for all messages of a type, or of all types if it is `nil`, in the project's own namespace.
    public convenience init(messageType: String?) { self.init(messageType: messageType, strategy: nil) }

    /// Looks for all messages of a type, or of all types if it is `nil`, in the project's own namespace. If
    /// the strategy is `nil`, it is the default.
    public convenience init(messageType: String?, strategy: GNSStrategy?) {
        self.init(messageNamespace: "", type: messageType, strategy: strategy)
    }

    /// Looks for all messages of a type in a namespace. `nil` means all types, or the project's own
    /// namespace.
    public convenience init(messageNamespace: String?, type: String?) {
        self.init(messageNamespace: messageNamespace, type: type, strategy: nil)
    }

    /// Looks for all messages of a type in a namespace. `nil` means all types, the project's own namespace,
    /// or the default strategy.
    public convenience init(messageNamespace: String?, type: String?, strategy: GNSStrategy?) {
        self.init()
        (self.messageNamespace, self.type) = (messageNamespace ?? "", type ?? "")
        self.strategy = strategy ?? GNSStrategy()
    }

    func take(_ other: GNSSubscriptionParams) {
        deviceTypesToDiscover = other.deviceTypesToDiscover
        (messageNamespace, type) = (other.messageNamespace, other.type)
        (strategy, beaconStrategy) = (other.strategy, other.beaconStrategy)
        statusHandler = other.statusHandler
        permissionRequestHandler = other.permissionRequestHandler
    }
}
