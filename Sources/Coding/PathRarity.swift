import Glibc

/// The rarity of a path's nats among random paths, one random tone for each symbol: Chernoff's bound.
///
///     rarity(T) = max over s of  s T − Σ_i ln mean_a exp(s worth(i, a))  P(a blind path has ≥ T) ≤ e^−rarity
///
/// It holds whatever the sound is, so ratios that a loud sound makes too great do not count: of 2^k messages,
/// whose scrambled paths are as good as random, some e^(k ln 2 − rarity) do as well. Reference: R. Gallager,
/// *Information Theory and Reliable Communication*, §5.4.
package struct PathRarity: Sendable {
    /// The number of slopes 1, ½, ¼ …: ratios count for as little as a 64th.
    private static let slopeCount = 7

    /// Σ_i ln mean_a exp(s worth(i, a)) at the slopes s.
    private let cumulants: [(slope: Float, nats: Float)]

    package init(_ metrics: ToneMetrics) {
        let worth = metrics.byTone
        let least = exp2(-Float(PathRarity.slopeCount - 1))
        var nats = [Float](repeating: 0, count: PathRarity.slopeCount)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: TrellisCode.labelCount) { shares in
            for first in stride(from: 0, to: worth.count, by: TrellisCode.labelCount) {
                var most = -Float.infinity
                for tone in 0..<TrellisCode.labelCount { most = max(most, worth[first + tone]) }
                for tone in 0..<TrellisCode.labelCount {
                    shares[tone] = exp(least * (worth[first + tone] - most))
                }
                // The shares are squared from slope to slope.
                var slope = least
                for place in nats.indices {
                    var sum: Float = 0
                    for tone in 0..<TrellisCode.labelCount {
                        sum += shares[tone]
                        shares[tone] *= shares[tone]
                    }
                    nats[place] += slope * most + log(sum / Float(TrellisCode.labelCount))
                    slope *= 2
                }
            }
        }
        cumulants = nats.enumerated().map { (least * exp2(Float($0.offset)), $0.element) }
    }

    /// - Parameter nats: the path's ``ToneMetrics/total(of:)``.
    package func rarity(ofPath nats: Float) -> Float {
        cumulants.reduce(0) { max($0, $1.slope * nats - $1.nats) }
    }
}
