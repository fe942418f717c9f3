import Nearby

/// So much a second, and so much at once: what is spent comes back with time (a token bucket).
public struct Budget: Sendable, Hashable {
    /// How much there is of something, and how fast it comes back.
    public struct Limit: Sendable, Hashable {
        /// So much comes back each second; must be over 0.
        public var perSecond: Double
        /// So much is there when nothing was spent for long.
        public var atOnce: Double

        /// - Parameters:
        ///   - perSecond: must be over 0.
        ///   - atOnce: at least the largest amount that is ever waited for: more is never there.
        public init(perSecond: Double, atOnce: Double) {
            precondition(perSecond > 0, "what never comes back is never waited for")
            (self.perSecond, self.atOnce) = (perSecond, atOnce)
        }
    }

    /// A year: waits of very slow limits would be beyond what a `Duration` holds.
    private static let longestWaitSeconds = 31_536_000.0

    /// What is gone of ``Limit/atOnce``.
    private var spent = 0.0
    private var last = Instant.start

    /// Full: nothing of it is spent.
    public init() {}

    /// What is there.
    public mutating func left(_ limit: Limit, now: Instant) -> Double {
        refill(limit, now)
        return limit.atOnce - spent
    }

    /// How long until `amount` is there, at most a year; nil when it is.
    public mutating func wait(for amount: Double, _ limit: Limit, now: Instant) -> Duration? {
        refill(limit, now)
        let missing = spent + amount - limit.atOnce
        return missing <= 0 ? nil : .seconds(min(missing / limit.perSecond, Budget.longestWaitSeconds))
    }

    /// Whether it was there or not: debts are paid back in time.
    ///
    /// - Parameter debtLimit: more than that is not owed.
    public mutating func spend(
        _ amount: Double, _ limit: Limit, debtLimit: Double = .infinity, now: Instant
    ) {
        refill(limit, now)
        spent = max(spent, min(spent + amount, limit.atOnce + debtLimit))
    }

    /// Whether any of it is spent.
    func isInUse(_ limit: Limit, now: Instant) -> Bool {
        spent > (now.offset - last.offset).inSeconds * limit.perSecond
    }

    private mutating func refill(_ limit: Limit, _ now: Instant) {
        spent = max(0, spent - (now.offset - last.offset).inSeconds * limit.perSecond)
        last = max(last, now)
    }
}
