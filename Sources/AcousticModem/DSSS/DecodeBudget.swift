/// A bound on deep and combined decodings: what is heard must not decide what listening costs.
struct DecodeBudget: Sendable {
    private static let perSecond = 10.0
    private static let burst = 240.0
    private var available = burst

    mutating func refill(seconds: Double) {
        available = min(DecodeBudget.burst, available + seconds * DecodeBudget.perSecond)
    }

    /// Whether there is room for one more attempt.
    var isOpen: Bool { available > 0 }

    /// Whether so much is being tried that chance hits become likely: more must be asked of each.
    var isStrained: Bool { available < DecodeBudget.burst / 2 }

    mutating func spend(decodings: Int) { available -= Double(decodings) }
}
