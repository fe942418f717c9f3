import Nearby

/// A token bucket: an amount that may be spent at once and that comes back at a steady rate.
package struct Budget: Sendable, Hashable {
    /// The size of a budget and the rate at which it refills.
    package struct Limit: Sendable, Hashable {
        /// The amount that comes back each second. It must be over 0.
        package var perSecond: Double
        /// The amount that is available after nothing was spent for a long time.
        package var atOnce: Double

        /// - Parameters:
        ///   - perSecond: the amount that comes back each second; it must be over 0.
        ///   - atOnce: the size of the budget. It must be at least the largest amount that anybody ever waits
        ///     for, because the budget never holds more.
        package init(perSecond: Double, atOnce: Double) {
            precondition(perSecond > 0, "what never comes back is never waited for")
            (self.perSecond, self.atOnce) = (perSecond, atOnce)
        }
    }

    /// The longest wait, one year. Waits of very slow limits would exceed the range of a `Duration`.
    private static let longestWaitSeconds = 31_536_000.0

    /// The part of ``Limit/atOnce`` that is spent now.
    private var spent = 0.0
    private var last = Instant.start

    /// Creates a full budget, of which nothing is spent.
    package init() {}

    /// Returns the amount that is available now. It is negative while the budget has debts.
    package mutating func left(_ limit: Limit, now: Instant) -> Double {
        refill(limit, now)
        return limit.atOnce - spent
    }

    /// Returns the time until `amount` is available, at most a year; `nil` if it is available now.
    package mutating func wait(for amount: Double, _ limit: Limit, now: Instant) -> Duration? {
        refill(limit, now)
        let missing = spent + amount - limit.atOnce
        return missing <= 0 ? nil : .seconds(min(missing / limit.perSecond, Budget.longestWaitSeconds))
    }

    /// Spends an amount even if it is not available. Debts are paid back as the budget refills.
    ///
    /// - Parameter debtLimit: the largest debt. Anything beyond it is forgiven.
    package mutating func spend(
        _ amount: Double, _ limit: Limit, debtLimit: Double = .infinity, now: Instant
    ) {
        refill(limit, now)
        spent = max(spent, min(spent + amount, limit.atOnce + debtLimit))
    }

    /// True if any part of the budget is spent now.
    func isInUse(_ limit: Limit, now: Instant) -> Bool {
        spent > (now.offset - last.offset).inSeconds * limit.perSecond
    }

    private mutating func refill(_ limit: Limit, _ now: Instant) {
        // Who spends has mostly looked at the same time whether there is enough.
        guard now != last else { return }
        spent = max(0, spent - (now.offset - last.offset).inSeconds * limit.perSecond)
        last = max(last, now)
    }
}
