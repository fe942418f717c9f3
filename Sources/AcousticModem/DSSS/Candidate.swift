/// Where a frame may stand: what acquisition hands to the tracker.
struct Candidate: FrameCandidate, Hashable {
    /// Baseband sample at which the first chip after the ramp is centred; of the reference path.
    var start: Double
    /// Time compression: speed over the speed of sound, clock skew included.
    var timeScale: Double
    var lane: Int
    /// Log likelihood ratio of the pilots against noise, nats, maximised over the search.
    var score: Float
    /// Which ``DelayProfile`` explains the pilots best.
    var profileIndex: Int
    /// Pilot energy of a segment over the noise density, as estimated by the search.
    var pilotEnergy: Float
}
