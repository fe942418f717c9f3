// Names of earlier versions of Swift and of the library. They do what those of today do.

extension GNSMessageManager {
    // MARK: Swift 2

    public convenience init(APIKey: String) { self.init(apiKey: APIKey, paramsBlock: nil) }

    public convenience init(APIKey: String, paramsBlock: GNSMessageManagerParamsBlock?) {
        self.init(apiKey: APIKey, paramsBlock: paramsBlock)
    }

    public func publicationWithMessage(_ message: GNSMessage?) -> (any GNSPublication)! {
        publication(with: message)
    }

    public func publicationWithMessage(
        _ message: GNSMessage?, paramsBlock: GNSPublicationParamsBlock?
    ) -> (any GNSPublication)! {
        publication(with: message, paramsBlock: paramsBlock)
    }

    public func subscriptionWithMessageFoundHandler(
        _ messageFoundHandler: GNSMessageHandler?, messageLostHandler: GNSMessageHandler?
    ) -> (any GNSSubscription)! {
        subscription(messageFoundHandler: messageFoundHandler, messageLostHandler: messageLostHandler)
    }

    public func subscriptionWithMessageFoundHandler(
        _ messageFoundHandler: GNSMessageHandler?, messageLostHandler: GNSMessageHandler?,
        paramsBlock: GNSSubscriptionParamsBlock?
    ) -> (any GNSSubscription)! {
        subscription(
            messageFoundHandler: messageFoundHandler, messageLostHandler: messageLostHandler,
            paramsBlock: paramsBlock)
    }

    // MARK: Before version 1.0

    public func publication(with params: GNSPublicationParams) -> (any GNSPublication)! {
        HeldPublication(params.message, params, of: self)
    }

    public func publicationWithParams(_ params: GNSPublicationParams) -> (any GNSPublication)! {
        publication(with: params)
    }

    public func subscription(
        with params: GNSSubscriptionParams, messageFoundHandler: GNSMessageHandler?,
        messageLostHandler: GNSMessageHandler?
    ) -> (any GNSSubscription)! {
        subscription(
            messageFoundHandler: messageFoundHandler, messageLostHandler: messageLostHandler,
            paramsBlock: { $0?.take(params) })
    }

    public func subscriptionWithParams(
        _ params: GNSSubscriptionParams, messageFoundHandler: GNSMessageHandler?,
        messageLostHandler: GNSMessageHandler?
    ) -> (any GNSSubscription)! {
        subscription(
            with: params, messageFoundHandler: messageFoundHandler, messageLostHandler: messageLostHandler)
    }
}

extension GNSPublicationParams {
    public convenience init(message: GNSMessage?, strategy: GNSStrategy?) {
        self.init()
        self.message = message
        self.strategy = strategy ?? GNSStrategy()
    }
}

extension GNSSubscriptionParams {
    public convenience init(messageType: String?) { self.init(messageType: messageType, strategy: nil) }

    public convenience init(messageType: String?, strategy: GNSStrategy?) {
        self.init(messageNamespace: "", type: messageType, strategy: strategy)
    }

    public convenience init(messageNamespace: String?, type: String?) {
        self.init(messageNamespace: messageNamespace, type: type, strategy: nil)
    }

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
