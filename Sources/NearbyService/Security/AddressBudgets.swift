import Nearby

/// Budgets of each site and each network. A whole network has ``networkFactor`` times as much as a site.
struct AddressBudgets: Sendable {
    enum Kind: Hashable {
        case request, registration, failure, beacon

        var limit: ServiceLimit {
            switch self {
            case .request: .requestsOfAddress
            case .registration: .registrationsOfAddress
            case .failure: .failuresOfAddress
            case .beacon: .beaconsOfAddress
            }
        }
    }

    /// Sites of one network that may do at one time what one of them may do at most.
    static let networkFactor = 8.0
    /// Prefixes that are remembered. When there are more, new sites share what one site of their network may do.
    private static let memory = 100_000

    private struct Budgets {
        var request = Budget()
        var registration = Budget()
        var failure = Budget()
        var beacon = Budget()
        var last = Instant.start
    }

    private var budgets: [IPAddress: Budgets] = [:]

    /// Throws: `.tooMuch`.
    mutating func spend(
        _ amount: Double, _ kind: Kind, _ client: ClientNetwork, _ settings: ServiceSettings, now: Instant
    ) throws(ServiceRefusal) {
        let (limit, path) = AddressBudgets.limit(kind, settings)
        let steps = prefixes(of: client, limit)
        for (prefix, limit) in steps {
            if let wait = budgets[prefix, default: Budgets()][keyPath: path]
                .wait(for: amount, limit, now: now)
            {
                throw .tooMuch(kind.limit, retryAfter: wait)
            }
        }
        for (prefix, limit) in steps {
            budgets[prefix, default: Budgets()][keyPath: path].spend(amount, limit, now: now)
            budgets[prefix]!.last = now
        }
    }

    private func prefixes(
        of client: ClientNetwork, _ limit: Budget.Limit
    ) -> [(IPAddress, Budget.Limit)] {
        guard client.site != client.network, budgets[client.site] != nil || budgets.count < Self.memory
        else { return [(client.network, limit)] }
        let whole = Budget.Limit(
            perSecond: limit.perSecond * Self.networkFactor, atOnce: limit.atOnce * Self.networkFactor)
        return [(client.site, limit), (client.network, whole)]
    }

    private static func limit(
        _ kind: Kind, _ settings: ServiceSettings
    ) -> (Budget.Limit, WritableKeyPath<Budgets, Budget>) {
        switch kind {
        case .request: (settings.requestsPerAddress, \.request)
        case .registration: (settings.registrationsPerAddress, \.registration)
        case .failure: (settings.failuresPerAddress, \.failure)
        case .beacon: (settings.beaconsPerAddress, \.beacon)
        }
    }

    /// Those that have been silent for so long that all is theirs again.
    mutating func forget(now: Instant) { budgets = budgets.filter { $0.value.last + .seconds(60) > now } }
}
