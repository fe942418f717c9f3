/// A reference path and the delay hypothesis that explains the powers about it.
struct Explanation {
    var delay: Int
    var fine: Int
    /// The log likelihood ratio against noise.
    var score: Float
    /// The index of the ``DelayHypothesis``.
    var hypothesis: Int
}
