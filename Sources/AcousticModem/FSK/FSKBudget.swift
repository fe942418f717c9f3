/// What an FSK receiver may spend on candidates. In loud sound a hundred steps a second may be one, and exact looks alone would
/// then take more time than all else.
///
///     reserve  │████████████│ half of it: whatever is a candidate     │██░░░░│ an eighth: what has four times as many nats
///
/// So keys that are shaken all the time, 20 nats each, leave effort for the frame of 200 nats among them.
struct FSKBudget: Sendable {
    private var looks = EffortBudget(perSecond: 10, burst: 400)
    private var decodings = EffortBudget(perSecond: 5, burst: 240)
    /// Set aside for candidates whose sync tones are all there.
    private var distinctDecodings = EffortBudget(perSecond: 5, burst: 240)
    /// Of frames that are read with others, found together.
    private var repeats = EffortBudget(perSecond: 10, burst: 240)
    /// Searches for the other piece of a frame have this one.
    private var pieces = EffortBudget(perSecond: 0.1, burst: 16)

    /// A candidate, as far as efforts depend on it.
    struct Claim {
        /// Its nats over those that are just worth an effort; 1 at least.
        var standing: Float
        /// Whether its sync tones are all there.
        var isDistinct: Bool

        init(nats: Float, least: Float, isDistinct: Bool) {
            (standing, self.isDistinct) = (max(nats / least, 1), isDistinct)
        }
    }

    mutating func refill(seconds: Double) {
        looks.refill(seconds: seconds)
        decodings.refill(seconds: seconds)
        distinctDecodings.refill(seconds: seconds)
        repeats.refill(seconds: seconds)
        pieces.refill(seconds: seconds)
    }

    /// Takes an exact look off, where there is one, and a decoding that may follow it.
    mutating func takeLook(_ claim: Claim) -> Bool {
        var distinct = claim
        distinct.isDistinct = true
        guard looks.isOpen(standing: claim.standing), mayDecode(distinct) else { return false }
        looks.spend(1)
        return true
    }

    func mayDecode(_ claim: Claim) -> Bool {
        decodings.isOpen(standing: claim.standing)
            || claim.isDistinct && distinctDecodings.isOpen(standing: claim.standing)
    }

    mutating func spend(decodings count: Int, on claim: Claim) {
        if decodings.isOpen(standing: claim.standing) || !claim.isDistinct {
            decodings.spend(count)
        } else {
            distinctDecodings.spend(count)
        }
    }

    var mayReadRepeats: Bool { repeats.isOpen }

    mutating func spend(repeats count: Int) { repeats.spend(count) }

    /// Takes a search off, where there is one.
    mutating func takePiece() -> Bool {
        guard pieces.isOpen else { return false }
        pieces.spend(1)
        return true
    }
}
