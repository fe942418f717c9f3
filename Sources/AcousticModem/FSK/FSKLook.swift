import Glibc

/// A candidate that did not decode alone, as the tracker saw it: for repeats of its frame.
struct FSKLook: RepeatedLook {
    /// Refined.
    var candidate: FSKCandidate
    var tokenClass: TokenClass
    var grid: ToneGrid
    /// How likely each tone of a data symbol is, their mean 1. `[dataCount][64]`
    var likelihoods: [Float]

    /// How much more likely two looks are if they hold the same tones than if they do not: nats.
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
