/// A place where a frame may begin.
struct FSKCandidate: FrameCandidate, Hashable {
    /// First sample of the first symbol, after the ramp, in baseband samples.
    var start: Double
    /// Closing speed over the speed of sound, clock skew included.
    var timeScale: Double
    var lane: Int
    /// Log likelihood ratio of its sync tones and of all its data symbols, whatever they send: nats.
    var score: Float
    /// How much more its sync symbols speak for their own tones than for any: nats, ln 64 a symbol at most.
    var contrast: Float

    /// Found by energies spread over a walker's Dopplers; its time scale is 0.
    var isSpread = false
    /// It may be a frame of this length, of which more must come in before it is looked at again.
    var awaited: TokenClass?

    /// What is looked at first: where a strong frame sounds, all its symbols speak for every step, and only the sync tones
    /// tell which is right.
    var rank: Float { score + 0.75 * contrast }
}
