/// A bound on attempts: a number per second and a reserve. It keeps the cost of listening independent of the
/// sound.
struct EffortBudget: Sendable {
    private let perSecond: Double
    private let burst: Double
    private var available: Double

    init(perSecond: Double, burst: Double) {
        (self.perSecond, self.burst) = (perSecond, burst)
        available = burst
    }

    mutating func refill(seconds: Double) { refill(seconds * perSecond) }

    mutating func refill(_ efforts: Double) { available = min(burst, available + efforts) }

    /// True if the reserve allows one more attempt.
    var isOpen: Bool { available > 0 }

    /// True if the reserve is less than half full. So many attempts then make chance hits likely, and each
    /// attempt must meet a higher bar.
    var isStrained: Bool { available < burst / 2 }

    /// Returns true if the reserve allows one more attempt at a candidate of `times` the least score worth
    /// one. Once the reserve is less than half full, the bar rises as it empties, so that sound that is loud
    /// all the time leaves room for a candidate that stands out.
    func isOpen(standing times: Float) -> Bool { isOpen && 2 * available * Double(times) >= burst }

    mutating func spend(_ efforts: Int) { available -= Double(efforts) }
}
