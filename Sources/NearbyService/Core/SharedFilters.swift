import Nearby

/// The last filters of a project's subscriptions. The devices of a project mostly have the same few filters:
/// those that are equal share their memory.
struct SharedFilters: Sendable {
    private static let count = 8

    private var filters: [MessageFilter] = []

    /// Replaces each filter with an equal one that is known, or keeps it for the next devices.
    mutating func share(_ subscriptions: inout [OperationID: Subscription]) {
        for place in subscriptions.indices { share(&subscriptions.values[place].filter) }
    }

    private mutating func share(_ filter: inout MessageFilter) {
        if let known = filters.first(where: { [filter] in $0 == filter }) {
            filter = known
        } else {
            if filters.count == SharedFilters.count { filters.removeFirst() }
            filters.append(filter)
        }
    }
}
