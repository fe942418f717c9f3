import Glibc

/// A candidate that did not decode alone, as the tracker saw it. It is kept for repeats of its frame.
struct FSKLook: RepeatedLook {
    /// The candidate with its refined setting.
    var candidate: FSKCandidate
    var tokenClass: TokenClass
    var grid: ToneGrid
    /// The likelihood of each tone of a data symbol, scaled to mean 1. `[dataCount][64]`
    var likelihoods: [Float]

    /// Returns the log likelihood ratio, in nats, that two looks hold the same tones.
    func agreement(with other: FSKLook) -> Float {
        guard other.tokenClass == tokenClass else { return -.infinity }
        let tones = TonePlan.toneCount
        var nats: Float = 0
        for first in stride(from: 0, to: likelihoods.count, by: tones) {
            var sum: Float = 0
            for place in first..<first + tones { sum += likelihoods[place] * other.likelihoods[place] }
            nats += log(max(sum / Float(tones), 1e-9))
        }
        return nats
    }
}
