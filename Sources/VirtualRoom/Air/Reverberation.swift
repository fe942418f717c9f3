import ChannelSim
import Glibc
import Signal

/// The mean power of a diffuse tail over time after an impulse at the speaker, from the direct sound's arrival on.
///
///     one room:    e(t) = w k e^{−k t},                             t ≥ r / c
///     from a to b: e(t) = w k_a k_b (e^{−k_a t} − e^{−k_b t}) / (k_b − k_a)
///
/// w: ``CoupledRooms``; k = 6 ln 10 / RT60. That the tail begins with the direct sound, and not at once, makes
/// reverberation weaker with distance. Reference: Barron, Lee, *Energy Relations in Concert Auditoriums I*, JASA 84,
/// 1988.
public struct Reverberation: Sendable, Hashable {
    let energyAtOnce: Double
    let decayPerSecond: Double
    /// Of the room into which sound comes from another one.
    let secondDecayPerSecond: Double?
    let onsetSeconds: Double

    /// Until it is down 60 dB.
    var seconds: Double {
        6 * log(10) * (1 / decayPerSecond + (secondDecayPerSecond.map { 1 / $0 } ?? 0) / 2)
    }

    /// Of all of it, over the direct sound's at 1 m.
    public var energy: Double {
        energyAtOnce * terms.reduce(0) { $0 + $1.weight * exp(-$1.perSecond * onsetSeconds) }
    }

    /// ∫ e / w from t on, as a sum of exponentials.
    var terms: [(weight: Double, perSecond: Double)] {
        let a = decayPerSecond
        guard var b = secondDecayPerSecond else { return [(1, a)] }
        // The formula has a limit where both decay alike: they are kept a thousandth apart.
        if ((b - a) / b).magnitude < 1e-3 { b = 1.001 * a }
        return [(b / (b - a), a), (-a / (b - a), b)]
    }

    /// One tail of that power: white Gaussian, as the band's envelope. Shape: `[seconds · rate]`, the onset first.
    func tail(envelopeRateHz: Double, noise: inout NoiseSource) -> [Complex] {
        var rest = terms.map { $0.weight * exp(-$0.perSecond * onsetSeconds) * energyAtOnce }
        let decay = terms.map { exp(-$0.perSecond / envelopeRateHz) }
        var sum = rest.reduce(0, +)
        let gaussian = noise.samples(2 * Int(seconds * envelopeRateHz), sigma: Float(0.5).squareRoot())
        return (0..<gaussian.count / 2).map { i in
            for term in rest.indices { rest[term] *= decay[term] }
            let next = rest.reduce(0, +)
            let amplitude = Float(max(0, sum - next).squareRoot())
            sum = next
            return Complex(gaussian[2 * i], gaussian[2 * i + 1]) * amplitude
        }
    }
}
