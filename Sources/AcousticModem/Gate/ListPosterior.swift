import Glibc

/// The posterior of the words of a list: how much likelier one is than all others together.
struct ListPosterior {
    /// ln 2 for each check bit: chance passes one word in 2²⁴.
    private static let checkNats = Float(TokenField.checkBitCount) * 0.6931

    private let greatest: Float
    private let sum: Float

    /// - Parameter likelihoods: the log likelihoods of all words.
    init(_ likelihoods: some Collection<Float>) {
        let greatest = likelihoods.max() ?? 0
        self.greatest = greatest
        sum = likelihoods.reduce(0) { $0 + exp($1 - greatest) }
    }

    /// Returns the log likelihood ratio of a word to the other words of the list that chance could pass, in
    /// nats: if a frame is there, the word is wrong with a probability of about exp(−nats). Reference:
    /// Forney, *Exponential Error Bounds for Erasure, List, and Decision Feedback Schemes*, IEEE Trans. IT
    /// 14(2), 1968, eq. 11.
    func nats(_ likelihood: Float) -> Float {
        let others = max(sum - exp(likelihood - greatest), .leastNormalMagnitude)
        return likelihood - greatest - log(others) + ListPosterior.checkNats
    }
}
