// Names of earlier versions of Swift and of the library. They do what those of today do.

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

    /// Publishes the message among the parameters; without one the publication stays inactive.
    public func publication(with params: GNSPublicationParams) -> (any GNSPublication)! {
        HeldPublication(params.message, params, of: self)
    }

    /// Publishes the message among the parameters; the name in Swift 2.
    public func publicationWithParams(_ params: GNSPublicationParams) -> (any GNSPublication)! {
        publication(with: params)
    }

    /// Subscribes as the parameters say, which are copied: later changes to them have no effect.
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
    /// What to publish, and how; without a strategy, as by default.
    public convenience init(message: GNSMessage?, strategy: GNSStrategy?) {
        self.init()
        self.message = message
        self.strategy = strategy ?? GNSStrategy()
    }
}

extension GNSSubscriptionParams {
    /// All messages of a type, in the project's own namespace; nil: of all types.
    public convenience init(messageType: String?) { self.init(messageType: messageType, strategy: nil) }

    /// All messages of a type, in the project's own namespace; nil: of all types, and found as by default.
    public convenience init(messageType: String?, strategy: GNSStrategy?) {
        self.init(messageNamespace: "", type: messageType, strategy: strategy)
    }

    /// All messages of a type in a namespace; nil: the project's own, and all types.
    public convenience init(messageNamespace: String?, type: String?) {
        self.init(messageNamespace: messageNamespace, type: type, strategy: nil)
    }

    /// All messages of a type in a namespace; nil: the project's own, of all types, and found as by default.
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
