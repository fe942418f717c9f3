/// The subscriptions that look for beacons now.
struct BeaconClaims: Sendable {
    struct Claim: Sendable, Hashable {
        var strategy: BeaconStrategy
        var filter: BeaconFilter
    }

    private(set) var claims: [OperationID: Claim] = [:]

    var isEmpty: Bool { claims.isEmpty }

    subscript(_ id: OperationID) -> Claim? { claims[id] }

    /// Sets or removes a claim. Returns true if that changed anything.
    mutating func set(_ claim: Claim?, for id: OperationID) -> Bool {
        guard claims[id] != claim else { return false }
        claims[id] = claim
        return true
    }

    var strategies: [BeaconStrategy] { claims.values.map { $0.strategy } }

    /// The queries to a registry and the kinds of beacons that each is about, in a fixed order.
    var questions: [(filter: AttachmentFilter, kinds: Set<AdvertisedID.Kind>)] {
        var kinds: [AttachmentFilter: Set<AdvertisedID.Kind>] = [:]
        for claim in claims.values {
            for filter in claim.filter.questions.keys {
                kinds[filter, default: []].formUnion(claim.strategy.kinds)
            }
        }
        return kinds.map { ($0.key, $0.value) }.ordered { $0.0.description < $1.0.description }
    }
}
