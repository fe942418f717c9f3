import Nearby

/// What each address may still ask for.
struct AddressBudgets: Sendable {
    enum Kind: Hashable {
        case request, registration, beacon

        var limit: ServiceLimit {
            switch self {
            case .request: .requestsOfAddress
            case .registration: .registrationsOfAddress
            case .beacon: .beaconsOfAddress
            }
        }
    }

    private struct Budgets {
        var request = Budget()
        var registration = Budget()
        var beacon = Budget()
        var last = Instant.start
    }

    private var budgets: [String: Budgets] = [:]

    /// Throws: `.tooMuch`.
    mutating func spend(
        _ amount: Double, _ kind: Kind, _ address: String, _ settings: ServiceSettings, now: Instant
    ) throws(ServiceRefusal) {
        let (limit, path) =
            switch kind {
            case .request: (settings.requestsPerAddress, \Budgets.request)
            case .registration: (settings.registrationsPerAddress, \Budgets.registration)
            case .beacon: (settings.beaconsPerAddress, \Budgets.beacon)
            }
        if let wait = budgets[address, default: Budgets()][keyPath: path].wait(for: amount, limit, now: now) {
            throw .tooMuch(kind.limit, retryAfter: wait)
        }
        budgets[address]![keyPath: path].spend(amount, limit, now: now)
        budgets[address]!.last = now
    }

    /// Those that have been silent for so long that all is theirs again.
    mutating func forget(now: Instant) { budgets = budgets.filter { $0.value.last + .seconds(60) > now } }
}
