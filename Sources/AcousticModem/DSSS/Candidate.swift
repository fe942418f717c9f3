/// A place at which a frame may stand, as acquisition hands it to the tracker.
struct Candidate: FrameCandidate, Hashable {
    /// The baseband sample at the centre of the first chip after the ramp, on the reference path.
    var start: Double
    /// The time compression: speed over the speed of sound, clock skew included.
    var timeScale: Double
    var lane: Int
    /// The log likelihood ratio of the pilots against noise, in nats, at its maximum over the search.
    var score: Float
    /// The index of the ``DelayProfile`` that explains the pilots best.
    var profileIndex: Int
    /// The pilot energy of a segment over the noise density, as the search estimates it.
    var pilotEnergy: Float
}
