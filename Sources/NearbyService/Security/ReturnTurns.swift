import Nearby

/// The turns of requests that were refused and are expected back. Each gets a turn after those of the
/// requests before it, so that N requests that came at once come back over N / rate seconds.
///
///     refused:  1 2 3 4 5          at once
///     turns:    |---1---2---3---4---5      one each 1 / rate seconds, from when the budget has something
struct ReturnTurns: Sendable {
    /// The longest wait. Clients wait no longer, whatever a server says.
    static let longest = Duration.seconds(3600)

    /// The time of the next turn that is free.
    private var next = Instant.start

    /// Takes a turn, and returns the time until then.
    ///
    /// - Parameters:
    ///   - least: the time until the budget has something for a single request.
    ///   - rate: the requests that the budget allows each second.
    mutating func take(after least: Duration, rate: Double, now: Instant) -> Duration {
        let turn = min(max(next, now + least), now + max(least, ReturnTurns.longest))
        next = turn + .seconds(min(1 / rate, ReturnTurns.longest.inSeconds))
        return now.duration(to: turn)
    }

    /// Returns the time until the next free turn without taking it.
    func wait(after least: Duration, now: Instant) -> Duration {
        max(least, min(now.duration(to: next), ReturnTurns.longest))
    }
}

/// ``ReturnTurns`` of a ``FairBudget``: no single network can take so many turns that all others wait long.
///
/// A network takes turns among all others until it has as many as its share of the budget allows. Beyond
/// that its requests wait for turns of their own network, which delays nobody else.
struct FairReturnTurns: Sendable {
    private struct Network: Sendable {
        var places = Budget()
        var turns = ReturnTurns()
    }

    private var all = ReturnTurns()
    private var networks: [IPAddress: Network] = [:]
    private var nextSweep = Instant.start

    /// Takes a turn for a refused request, and returns the time until then.
    ///
    /// - Parameter least: the time until the budget has something for this network.
    mutating func take(
        after least: Duration, _ client: ClientNetwork, _ limit: Budget.Limit, now: Instant
    ) -> Duration {
        let share = FairBudget.share(of: limit, atLeast: 1)
        sweep(share, now)
        var network = networks[client.network] ?? Network()
        defer { networks[client.network] = network }
        if network.places.wait(for: 1, share, now: now) == nil {
            network.places.spend(1, share, now: now)
            return all.take(after: least, rate: limit.perSecond, now: now)
        }
        let own = network.turns.take(after: least, rate: share.perSecond, now: now)
        return max(own, all.wait(after: least, now: now))
    }

    private mutating func sweep(_ share: Budget.Limit, _ now: Instant) {
        guard now >= nextSweep else { return }
        nextSweep = now + .seconds(10)
        networks = networks.filter {
            $0.value.places.isInUse(share, now: now) || $0.value.turns.wait(after: .zero, now: now) > .zero
        }
    }
}
