// Background mode across a killed process, as the documents advise apps to keep it: read at start, restored if wanted. Not in
// the original.

extension GNSMessageManager {
    /// What was going on for the background, with this API key, when the process before this one was killed. Once this process
    /// has something of its own for the background, only that is kept for the next one.
    public var savedOperations: [GNSSavedOperation] { operationStore.left }

    /// Publishes again what was published; nil for a subscription.
    ///
    /// - Parameter paramsBlock: sees the saved parameters, and may change them.
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

    /// Subscribes again to what was subscribed to; nil for a publication.
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
