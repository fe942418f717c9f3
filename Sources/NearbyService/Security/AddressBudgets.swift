import Nearby

/// The budgets of each site and of each network. A whole network may spend ``networkFactor`` times as much as
/// one site.
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

    /// The number of sites of one network that may spend their full budgets at the same time.
    static let networkFactor = 8.0
    /// The number of address prefixes that are remembered. Beyond this number, new sites share the budget of
    /// one site of their network.
    private static let memory = 100_000

    private struct Budgets {
        var request = Budget()
        var registration = Budget()
        var failure = Budget()
        var beacon = Budget()
        var registrationTurns = ReturnTurns()
        var last = Instant.start

        mutating func spend(
            _ amount: Double, from path: WritableKeyPath<Budgets, Budget>, _ limit: Budget.Limit, now: Instant
        ) {
            self[keyPath: path].spend(amount, limit, now: now)
            last = now
        }
    }

    private var budgets: [IPAddress: Budgets] = [:]

    /// Charges the budgets of a client's site and network. Throws: `.tooMuch`.
    mutating func spend(
        _ amount: Double, _ kind: Kind, _ client: ClientNetwork, _ settings: ServiceSettings, now: Instant
    ) throws(ServiceRefusal) {
        let (limit, path) = AddressBudgets.limit(kind, settings)
        let steps = prefixes(of: client, limit)
        for (prefix, limit) in steps {
            if let wait = budgets[prefix, default: Budgets()][keyPath: path]
                .wait(for: amount, limit, now: now)
            {
                // Registrations come in storms, when many devices behind one address lost their power.
                guard kind == .registration else { throw .tooMuch(kind.limit, retryAfter: wait) }
                let turn = budgets[prefix]!.registrationTurns
                    .take(after: wait, rate: limit.perSecond, now: now)
                throw .tooMuch(kind.limit, retryAfter: turn)
            }
        }
        for (prefix, limit) in steps {
            budgets[prefix, default: Budgets()].spend(amount, from: path, limit, now: now)
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

    /// Forgets prefixes that have spent nothing for 60 s, because their budgets are full again.
    mutating func forget(now: Instant) { budgets = budgets.filter { $0.value.last + .seconds(60) > now } }
}
