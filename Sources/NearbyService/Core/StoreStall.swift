import Nearby

/// How long a store has kept devices waiting: one whose report is not answered sends no other, and says of nobody that it is near.
struct StoreStall: Sendable {
    /// A commit may take so long before it counts.
    private static let patience = Duration.seconds(1)

    private var past = Duration.zero
    private var began: (time: Instant, stall: Duration)?

    /// In all, without that in which the process itself stood still.
    func total(at now: Instant, stall: Duration) -> Duration {
        guard let began else { return past }
        let wait = began.time.duration(to: now) - (stall - began.stall)
        return past + max(.zero, wait - StoreStall.patience)
    }

    /// A commit begins.
    mutating func begin(at now: Instant, stall: Duration) { began = (now, stall) }

    /// The commit is done, or has failed.
    mutating func end(at now: Instant, stall: Duration) {
        past = total(at: now, stall: stall)
        began = nil
    }
}
