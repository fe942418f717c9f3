/// A place where a frame may begin.
struct FSKCandidate: FrameCandidate, Hashable {
    /// The first sample of the first symbol, after the ramp, in baseband samples.
    var start: Double
    /// The closing speed over the speed of sound, clock skew included.
    var timeScale: Double
    var lane: Int
    /// The log likelihood ratio of its sync tones and of all its data symbols, regardless of their tones, in
    /// nats.
    var score: Float
    /// The nats by which its sync symbols favour their own tones over any other tone; ln 64 a symbol at most.
    var contrast: Float

    /// True if it was found by energies spread over a walker's Dopplers; its time scale is 0.
    var isSpread = false
    /// The length of the frame that it may be, of which more must come in before it is looked at again; `nil`
    /// if it waits for none.
    var awaited: TokenClass?

    /// The order in which candidates are looked at. Where a strong frame sounds, all its symbols favour every
    /// step, and only the sync tones show which is right.
    var rank: Float { score + 0.75 * contrast }
}
