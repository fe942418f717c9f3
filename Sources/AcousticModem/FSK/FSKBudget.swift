/// What an FSK receiver may spend on candidates. In loud sound a hundred steps a second may be one, and exact looks alone would
/// then take more time than all else.
struct FSKBudget: Sendable {
    private var looks = EffortBudget(perSecond: 10, burst: 400)
    private var decodings = EffortBudget(perSecond: 5, burst: 240)
    /// Set aside for candidates whose sync tones are all there.
    private var distinctDecodings = EffortBudget(perSecond: 5, burst: 240)
    /// Of frames that are read with others, found together.
    private var repeats = EffortBudget(perSecond: 10, burst: 240)

    mutating func refill(seconds: Double) {
        looks.refill(seconds: seconds)
        decodings.refill(seconds: seconds)
        distinctDecodings.refill(seconds: seconds)
        repeats.refill(seconds: seconds)
    }

    /// Takes an exact look off, where there is one, and a decoding that may follow it.
    mutating func takeLook() -> Bool {
        guard looks.isOpen, mayDecode(isDistinct: true) else { return false }
        looks.spend(1)
        return true
    }

    func mayDecode(isDistinct: Bool) -> Bool { decodings.isOpen || isDistinct && distinctDecodings.isOpen }

    mutating func spend(decodings count: Int) {
        if decodings.isOpen { decodings.spend(count) } else { distinctDecodings.spend(count) }
    }

    var mayReadRepeats: Bool { repeats.isOpen }

    mutating func spend(repeats count: Int) { repeats.spend(count) }
}
