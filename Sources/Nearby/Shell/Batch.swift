/// A batch of operations that are executed together or not at all.
public struct Batch: Sendable {
    /// The publications to begin; each gets a handle in ``Result/publications``.
    public var publications: [Publication]
    /// The subscriptions to begin; each gets its events in ``Result/subscriptions``.
    public var subscriptions: [Subscription]
    /// The publications and subscriptions to end. They belong to the same engine, have not ended, and are
    /// named once each.
    public var ending: [OperationHandle]

    /// Creates a batch, unchecked: ``NearbyEngine/execute(_:)`` checks it.
    public init(
        publications: [Publication] = [], subscriptions: [Subscription] = [], ending: [OperationHandle] = []
    ) {
        (self.publications, self.subscriptions, self.ending) = (publications, subscriptions, ending)
    }

    /// The handles of what a batch began, in the order of the batch.
    public struct Result: Sendable {
        /// One handle for each of ``Batch/publications``; releasing a handle ends its publication.
        public internal(set) var publications: [PublicationHandle] = []
        /// One sequence of events for each of ``Batch/subscriptions``; releasing it ends its subscription.
        public internal(set) var subscriptions: [SubscriptionEvents] = []
    }
}
