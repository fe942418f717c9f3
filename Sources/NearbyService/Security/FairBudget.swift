import Nearby

/// A budget of a whole project that no single network can use up.
///
///     whole:   ░░░░░░░░░░░░░░░░░░░░│▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
///              for every network   │ reserve: for a network that has not used up its share
///
/// While at least half of the budget is available, every network may spend from it. The other half, and the
/// amount that comes back, is divided: each network has its own share, which is one ``shareCount``th. So
/// fewer than ``shareCount`` networks of attackers leave something to all others.
struct FairBudget: Sendable {
    /// The number of networks among which the reserve is divided.
    static let shareCount = 200.0

    private var whole = Budget()
    private var shares: [IPAddress: Budget] = [:]
    private var nextSweep = Instant.start

    /// Returns the time until that network may spend `amount`; `nil` if it may spend it now.
    ///
    /// - Parameter reserve: the amount, at most half of the budget, that must be left after that.
    mutating func wait(
        for amount: Double, _ network: ClientNetwork, _ limit: Budget.Limit, keeping reserve: Double = 0,
        now: Instant
    ) -> Duration? {
        guard whole.left(limit, now: now) - amount < limit.atOnce / 2 else { return nil }
        // A network's share is never less than one request.
        let share = FairBudget.share(of: limit, atLeast: amount)
        let own = shares[network.network]?.wait(for: amount, share, now: now)
        let all = whole.wait(for: amount + reserve, limit, now: now)
        return [own, all].compactMap { $0 }.max()
    }

    /// Spends an amount even if there is not enough. The debt of one network is bounded, so that it is served
    /// again soon after an attack.
    mutating func spend(
        _ amount: Double, _ network: ClientNetwork, _ limit: Budget.Limit, now: Instant
    ) {
        sweep(limit, now)
        whole.spend(amount, limit, now: now)
        let share = FairBudget.share(of: limit, atLeast: amount)
        shares[network.network, default: Budget()]
            .spend(amount, share, debtLimit: share.atOnce, now: now)
    }

    static func share(of limit: Budget.Limit, atLeast amount: Double) -> Budget.Limit {
        Budget.Limit(
            perSecond: limit.perSecond / shareCount, atOnce: max(amount, limit.atOnce / 2 / shareCount))
    }

    private mutating func sweep(_ limit: Budget.Limit, _ now: Instant) {
        guard now >= nextSweep else { return }
        nextSweep = now + .seconds(10)
        let share = FairBudget.share(of: limit, atLeast: 1)
        shares = shares.filter { $0.value.isInUse(share, now: now) }
    }
}
