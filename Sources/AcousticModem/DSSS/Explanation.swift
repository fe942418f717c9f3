/// A reference path and what room it would be of.
struct Explanation {
    var delay: Int
    var fine: Int
    /// Log likelihood ratio over noise.
    var score: Float
    /// Which ``DelayHypothesis``.
    var hypothesis: Int
}
