/// Several operations that begin and end together, or not at all.
public struct Batch: Sendable {
    /// To begin; each has a handle in ``Result/publications``.
    public var publications: [Publication]
    /// To begin; each has its events in ``Result/subscriptions``.
    public var subscriptions: [Subscription]
    /// To end, publications and subscriptions alike: of the same engine, not ended yet, each once.
    public var ending: [OperationHandle]

    /// Nothing is checked before ``NearbyEngine/execute(_:)``.
    public init(
        publications: [Publication] = [], subscriptions: [Subscription] = [], ending: [OperationHandle] = []
    ) {
        (self.publications, self.subscriptions, self.ending) = (publications, subscriptions, ending)
    }

    /// In the order of the batch.
    public struct Result: Sendable {
        /// One for each of ``Batch/publications``; whoever lets one go ends it.
        public internal(set) var publications: [PublicationHandle] = []
        /// One for each of ``Batch/subscriptions``; whoever lets one go ends it.
        public internal(set) var subscriptions: [SubscriptionEvents] = []
    }
}
