/// Several operations that begin and end together, or not at all.
public struct Batch: Sendable {
    public var publications: [Publication]
    public var subscriptions: [Subscription]
    public var ending: [OperationHandle]

    public init(
        publications: [Publication] = [], subscriptions: [Subscription] = [], ending: [OperationHandle] = []
    ) {
        (self.publications, self.subscriptions, self.ending) = (publications, subscriptions, ending)
    }

    /// In the order of the batch.
    public struct Result: Sendable {
        public internal(set) var publications: [PublicationHandle] = []
        public internal(set) var subscriptions: [SubscriptionEvents] = []
    }
}
