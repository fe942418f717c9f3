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

        /// Changes the budget of a kind in its place.
        mutating func change<Result>(_ kind: Kind, _ body: (inout Budget) -> Result) -> Result {
            switch kind {
            case .request: body(&request)
            case .registration: body(&registration)
            case .failure: body(&failure)
            case .beacon: body(&beacon)
            }
        }
    }

    private var budgets: [IPAddress: Budgets] = [:]

    /// Charges the budgets of a client's site and network. Throws: `.tooMuch`.
    mutating func spend(
        _ amount: Double, _ kind: Kind, _ client: ClientNetwork, _ settings: ServiceSettings, now: Instant
    ) throws(ServiceRefusal) {
        let steps = places(of: client, AddressBudgets.limit(kind, settings))
        for (place, limit) in steps {
            let wait = budgets.values[place].change(kind) { $0.wait(for: amount, limit, now: now) }
            guard let wait else { continue }
            // Registrations come in storms, when many devices behind one address lost their power.
            guard kind == .registration else { throw .tooMuch(kind.limit, retryAfter: wait) }
            let turn = budgets.values[place].registrationTurns
                .take(after: wait, rate: limit.perSecond, now: now)
            throw .tooMuch(kind.limit, retryAfter: turn)
        }
        for (place, limit) in steps {
            budgets.values[place].change(kind) { $0.spend(amount, limit, now: now) }
            budgets.values[place].last = now
        }
    }

    /// Returns the places of a client's budgets, and their limits: those of its site and its network, or of
    /// the network alone. It makes the budgets that there were not.
    private mutating func places(
        of client: ClientNetwork, _ limit: Budget.Limit
    ) -> [(Dictionary<IPAddress, Budgets>.Index, Budget.Limit)] {
        guard let network = budgets.index(forKey: client.network) else {
            budgets[client.network] = Budgets()
            return places(of: client, limit)
        }
        guard client.site != client.network else { return [(network, limit)] }
        guard let site = budgets.index(forKey: client.site) else {
            guard budgets.count < Self.memory else { return [(network, limit)] }
            // Another entry moves those that are there.
            budgets[client.site] = Budgets()
            return places(of: client, limit)
        }
        let whole = Budget.Limit(
            perSecond: limit.perSecond * Self.networkFactor, atOnce: limit.atOnce * Self.networkFactor)
        return [(site, limit), (network, whole)]
    }

    private static func limit(_ kind: Kind, _ settings: ServiceSettings) -> Budget.Limit {
        switch kind {
        case .request: settings.requestsPerAddress
        case .registration: settings.registrationsPerAddress
        case .failure: settings.failuresPerAddress
        case .beacon: settings.beaconsPerAddress
        }
    }

    /// Forgets prefixes that have spent nothing for 60 s, because their budgets are full again.
    mutating func forget(now: Instant) { budgets = budgets.filter { $0.value.last + .seconds(60) > now } }
}
