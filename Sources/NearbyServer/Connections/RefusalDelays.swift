import NearbyService
import Synchronization

/// How long an answer that refuses something waits: not at all at first, and longer the more an address was refused lately.
///
/// Refusals cost the server time that they should not take from others. An address that keeps within ``free`` refusals, and two
/// more a second, never waits.
final class RefusalDelays: Sendable {
    private struct Debt {
        var amount = 0.0
        /// Connections that wait.
        var waiting = 0
        var last: ContinuousClock.Instant
    }

    /// Refusals of one address that are answered at once.
    static let free = 20.0
    static let perSecond = 2.0
    static let longest = Duration.seconds(1)
    /// The delay grows by this with each refusal too many.
    static let step = Duration.milliseconds(100)
    /// More addresses than this share one debt.
    static let mostAddresses = 16_384

    /// A new connection of an address that is in debt waits at most so long: others of the address may be honest.
    static let longestOfConnection = Duration.milliseconds(250)

    private let debts = Mutex<[IPAddress?: Debt]>([:])

    /// So many connections of an address wait at most: nothing is known of them meanwhile, and they take places.
    static let mostWaiting = 32

    /// How long a new connection waits before anything is read from it; zero: not at all, and it has not begun to wait.
    func beginWait(
        ofConnectionFrom address: IPAddress?, now: ContinuousClock.Instant = .now
    ) -> Duration {
        debts.withLock { debts in
            guard let debt = debts[address?.site], debt.waiting < RefusalDelays.mostWaiting else {
                return .zero
            }
            let delay = RefusalDelays.delay(RefusalDelays.amount(debt, now))
            if delay > .zero { debts[address?.site]!.waiting += 1 }
            return min(RefusalDelays.longestOfConnection, delay)
        }
    }

    /// A connection that has begun to wait waits no more.
    func endWait(ofConnectionFrom address: IPAddress?) {
        debts.withLock { $0[address?.site]?.waiting -= 1 }
    }

    /// A connection ended on which nobody had shown a known key or device.
    func noteStranger(from address: IPAddress?) { _ = delay(ofRefusal: 1, to: address) }

    /// - Parameters:
    ///   - cost: 1 for an ordinary refusal.
    ///   - address: nil: all whose address is not known.
    func delay(
        ofRefusal cost: Double, to address: IPAddress?, now: ContinuousClock.Instant = .now
    ) -> Duration {
        debts.withLock { debts in
            var key = address?.site
            if debts[key] == nil, debts.count >= RefusalDelays.mostAddresses {
                debts = debts.filter { $0.value.waiting > 0 || RefusalDelays.amount($0.value, now) > 0 }
                if debts.count >= RefusalDelays.mostAddresses { key = nil }
            }
            var debt = debts[key] ?? Debt(last: now)
            let most = RefusalDelays.free + RefusalDelays.longest / RefusalDelays.step
            (debt.amount, debt.last) = (min(most, RefusalDelays.amount(debt, now) + cost), now)
            debts[key] = debt
            return RefusalDelays.delay(debt.amount)
        }
    }

    private static func delay(_ amount: Double) -> Duration {
        amount <= free ? .zero : step * (amount - free).rounded(.up)
    }

    private static func amount(_ debt: Debt, _ now: ContinuousClock.Instant) -> Double {
        max(0, debt.amount - perSecond * (debt.last.duration(to: now) / .seconds(1)))
    }
}
