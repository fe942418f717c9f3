import Synchronization

/// How long an answer that refuses something waits: not at all at first, and longer the more an address was refused lately.
///
/// Refusals cost the server time that they should not take from others. An address that keeps within ``free`` refusals, and two
/// more a second, never waits.
final class RefusalDelays: Sendable {
    private struct Debt {
        var amount = 0.0
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

    private let debts = Mutex<[IPAddress?: Debt]>([:])

    /// - Parameters:
    ///   - cost: 1 for an ordinary refusal.
    ///   - address: nil: all whose address is not known.
    func delay(
        ofRefusal cost: Double, to address: IPAddress?, now: ContinuousClock.Instant = .now
    ) -> Duration {
        debts.withLock { debts in
            var key = address?.subscriber
            if debts[key] == nil, debts.count >= RefusalDelays.mostAddresses {
                debts = debts.filter { RefusalDelays.amount($0.value, now) > 0 }
                if debts.count >= RefusalDelays.mostAddresses { key = nil }
            }
            var debt = debts[key] ?? Debt(last: now)
            let most = RefusalDelays.free + RefusalDelays.longest / RefusalDelays.step
            debt = Debt(amount: min(most, RefusalDelays.amount(debt, now) + cost), last: now)
            debts[key] = debt
            return debt.amount <= RefusalDelays.free
                ? .zero : RefusalDelays.step * (debt.amount - RefusalDelays.free).rounded(.up)
        }
    }

    private static func amount(_ debt: Debt, _ now: ContinuousClock.Instant) -> Double {
        max(0, debt.amount - perSecond * (debt.last.duration(to: now) / .seconds(1)))
    }
}
