/// A bound on efforts, so many a second and a reserve of them: what is heard must not decide what listening costs.
struct EffortBudget: Sendable {
    private let perSecond: Double
    private let burst: Double
    private var available: Double

    init(perSecond: Double, burst: Double) {
        (self.perSecond, self.burst) = (perSecond, burst)
        available = burst
    }

    mutating func refill(seconds: Double) { available = min(burst, available + seconds * perSecond) }

    /// Whether there is room for one more attempt.
    var isOpen: Bool { available > 0 }

    /// Whether so much is being tried that chance hits become likely: more must be asked of each.
    var isStrained: Bool { available < burst / 2 }

    /// Whether there is room for one more attempt at what stands so many times as high as what is just worth one: the emptier a
    /// strained reserve is, the higher that must be, so that what is loud all the time leaves room for what stands out of it.
    func isOpen(standing times: Float) -> Bool { isOpen && 2 * available * Double(times) >= burst }

    mutating func spend(_ efforts: Int) { available -= Double(efforts) }
}
