import Nearby

/// The record of one device's misses, that is of tokens that it reported and that belong to no device.
struct GuessRecord: Sendable {
    private let since: Instant
    private var misses = Budget()
    /// The time of the last miss; until the first miss, the time of the registration.
    private var lastMiss: Instant

    /// - Parameter since: when the device registered.
    init(since: Instant) { (self.since, lastMiss) = (since, since) }

    /// Returns the number of misses that are judged in the device's next report. While the device's own
    /// budget and the project's have something left, all misses are judged and any excess becomes a debt. If
    /// only the project's budget is used up, a device without a miss for ``GuessLimits/cleanAfter`` still
    /// gets its first miss judged.
    ///
    /// - Parameter isProjectFree: true if the project's budget has something left for this device's network.
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
