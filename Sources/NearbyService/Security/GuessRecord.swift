import Nearby

/// The tokens that one device has named and that stood for nobody.
struct GuessRecord: Sendable {
    private let since: Instant
    private var misses = Budget()
    /// When it last named one; at first, when it registered.
    private var lastMiss: Instant

    /// - Parameter since: when the device registered.
    init(since: Instant) { (self.since, lastMiss) = (since, since) }

    /// How many misses of its next report are judged. While its own budget and the project's are not used up, all are, and what is
    /// too much is owed; of a device that has not missed for long, the first one in any case.
    ///
    /// - Parameter isProjectFree: whether the project's budget has something for this device's network.
    mutating func missLimit(_ limits: GuessLimits, isProjectFree: Bool, now: Instant) -> Int {
        let own = misses.wait(for: 1, limits.device(age: since.duration(to: now)), now: now) == nil
        if own && isProjectFree { return .max }
        return own && lastMiss + limits.cleanAfter <= now ? 1 : 0
    }

    mutating func note(_ count: Double, _ limits: GuessLimits, now: Instant) {
        lastMiss = now
        misses.spend(count, limits.device(age: since.duration(to: now)), now: now)
    }
}
