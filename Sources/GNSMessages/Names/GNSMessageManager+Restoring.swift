// Background operations across a killed process, which the original documentation advises apps to save: an
// app reads them at its start and restores those that it wants. The original has no such functions.

extension GNSMessageManager {
    /// The background operations of this API key that were live when the previous process was killed. As soon
    /// as this process begins a background operation, only its own are kept for the next process.
    public var savedOperations: [GNSSavedOperation] { operationStore.left }

    /// Publishes again what was published. Returns `nil` for a subscription.
    ///
    /// - Parameter paramsBlock: receives the saved parameters, and may change them.
    public func publication(
        restoring saved: GNSSavedOperation, paramsBlock: GNSPublicationParamsBlock? = nil
    ) -> (any GNSPublication)? {
        guard saved.kind == .publication else { return nil }
        let message = GNSMessage(
            content: saved.content, type: saved.type, messageNamespace: saved.messageNamespace)
        return publication(
            with: message,
            paramsBlock: { params in
                params?.strategy = saved.strategy
                paramsBlock?(params)
            })
    }

    /// Subscribes again to what was subscribed to. Returns `nil` for a publication.
    public func subscription(
        restoring saved: GNSSavedOperation, messageFoundHandler: GNSMessageHandler?,
        messageLostHandler: GNSMessageHandler?, paramsBlock: GNSSubscriptionParamsBlock? = nil
    ) -> (any GNSSubscription)? {
        guard saved.kind == .subscription else { return nil }
        return subscription(
            messageFoundHandler: messageFoundHandler, messageLostHandler: messageLostHandler,
            paramsBlock: { params in
                params?.messageNamespace = saved.messageNamespace
                params?.type = saved.type
                params?.deviceTypesToDiscover = saved.deviceTypesToDiscover
                params?.strategy = saved.strategy
                params?.beaconStrategy = saved.beaconStrategy
                paramsBlock?(params)
            })
    }
}
