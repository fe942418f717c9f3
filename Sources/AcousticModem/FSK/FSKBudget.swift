/// The effort that an FSK receiver may spend on candidates. In loud sound a hundred steps a second may be
/// candidates, and exact looks alone would then take more time than all else.
///
///     reserve  │████████████│ half of it: any candidate     │██░░░░│ an eighth: what has four times the nats
///
/// Keys that are shaken all the time, 20 nats each, thus leave effort for the frame of 200 nats among them.
struct FSKBudget: Sendable {
    private var looks = EffortBudget(perSecond: 10, burst: 400)
    private var decodings = EffortBudget(perSecond: 5, burst: 240)
    /// A reserve for candidates whose sync tones are all there.
    private var distinctDecodings = EffortBudget(perSecond: 5, burst: 240)
    /// A reserve for repeats: frames that were found together and are read together.
    private var repeats = EffortBudget(perSecond: 10, burst: 240)
    /// A reserve for searches for the other piece of a frame.
    private var pieces = EffortBudget(perSecond: 0.1, burst: 16)

    /// The properties of a candidate that decide the effort it may take.
    struct Claim {
        /// The candidate's nats over the least nats worth an effort; 1 at least.
        var standing: Float
        /// True if its sync tones are all there.
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

    /// Takes one exact look from the reserve if it and a decoding that may follow are allowed. Returns true
    /// if so.
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

    /// Takes one search for a piece from the reserve. Returns false if none is left.
    mutating func takePiece() -> Bool {
        guard pieces.isOpen else { return false }
        pieces.spend(1)
        return true
    }
}
