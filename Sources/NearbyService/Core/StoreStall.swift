import Nearby

/// The time for which a store has kept devices waiting. A device whose report is not answered sends no other
/// report, so it does not say which devices are near.
struct StoreStall: Sendable {
    /// The time that a commit may take before the rest of it counts as a stall.
    private static let patience = Duration.seconds(1)

    private var past = Duration.zero
    private var began: (time: Instant, stall: Duration)?

    /// Returns the total time of all stalls, without the time in which the process itself stood still.
    func total(at now: Instant, stall: Duration) -> Duration {
        guard let began else { return past }
        let wait = began.time.duration(to: now) - (stall - began.stall)
        return past + max(.zero, wait - StoreStall.patience)
    }

    /// Notes that a commit begins.
    mutating func begin(at now: Instant, stall: Duration) { began = (now, stall) }

    /// Notes that the commit is done or has failed.
    mutating func end(at now: Instant, stall: Duration) {
        past = total(at: now, stall: stall)
        began = nil
    }
}
