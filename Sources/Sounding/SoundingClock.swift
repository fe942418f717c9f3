import Glibc
import Signal

/// The speed of the player's clock, from the two loud sweeps at the ends.
///
/// Their responses are those of the same room, so the clocks cause the lag at which they agree best, beyond
/// the span that was played: over 4.25 s, 10 ppm are two samples. The sweep's own time scale changes as well,
/// which moves both alike.
enum SoundingClock {
    /// The greatest skew, 300 ppm; beyond it the search finds nothing.
    static let mostSkew = 300e-6

    /// Returns the skew; it is positive for a fast player.
    ///
    /// - Parameters:
    ///   - first, last: h of the two sweeps, each cut where it was expected.
    ///   - gate: the samples of `first` in which something arrives: noise beyond would agree by chance.
    ///   - spanSamples: the distance between the two cuts.
    static func skew(
        _ first: [Complex], _ last: [Complex], gate: Range<Int>, spanSamples: Int,
        _ deconvolver: SweepDeconvolver
    ) -> Double {
        let nominal = SoundingSignal.spanSeconds * deconvolver.sampleRateHz
        let reach = Int(mostSkew * nominal) + 2
        let a = deconvolver.response(of: first, within: gate)
        let moved = gate.lowerBound - reach..<gate.upperBound + reach
        var agreement = deconvolver.response(of: last, within: moved)
        for i in agreement.indices { agreement[i] *= a[i].conjugate }
        agreement = deconvolver.impulse(agreement)
        func power(_ lag: Int) -> Double {
            Double(agreement[(lag + agreement.count) % agreement.count].power).squareRoot()
        }
        let best = (-reach...reach).max { power($0) < power($1) } ?? 0
        let (before, at, after) = (power(best - 1), power(best), power(best + 1))
        let bend = before - 2 * at + after
        let fraction = bend < 0 ? 0.5 * (before - after) / bend : 0
        return nominal / (Double(spanSamples + best) + fraction) - 1
    }
}
