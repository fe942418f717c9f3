import ChannelSim
import Glibc
import Signal

/// The mean power of a diffuse tail over time after an impulse at the speaker, from the direct sound's
/// arrival on.
///
///     one room:    e(t) = w k e^{−k t},                             t ≥ r / c
///     from a to b: e(t) = w k_a k_b (e^{−k_a t} − e^{−k_b t}) / (k_b − k_a)
///
/// w is that of ``CoupledRooms``; k = 6 ln 10 / RT60. The tail begins with the direct sound and not at once,
/// which makes reverberation weaker with distance. Reference: Barron, Lee, *Energy Relations in Concert
/// Auditoriums I*, JASA 84, 1988.
package struct Reverberation: Sendable, Hashable {
    let energyAtOnce: Double
    let decayPerSecond: Double
    /// The decay of the room that sound enters from another one; `nil` if both places are in one room.
    let secondDecayPerSecond: Double?
    let onsetSeconds: Double

    /// The time until the tail is down by 60 dB.
    var seconds: Double {
        6 * log(10) * (1 / decayPerSecond + (secondDecayPerSecond.map { 1 / $0 } ?? 0) / 2)
    }

    /// The tail's total energy, relative to that of the direct sound at 1 m.
    package var energy: Double {
        energyAtOnce * terms.reduce(0) { $0 + $1.weight * exp(-$1.perSecond * onsetSeconds) }
    }

    /// The terms of ∫ e / w from t on, as a sum of exponentials.
    var terms: [(weight: Double, perSecond: Double)] {
        let a = decayPerSecond
        guard var b = secondDecayPerSecond else { return [(1, a)] }
        // The formula has a limit where both rooms decay alike, so that the decays are kept a thousandth
        // apart.
        if ((b - a) / b).magnitude < 1e-3 { b = 1.001 * a }
        return [(b / (b - a), a), (-a / (b - a), b)]
    }

    /// Returns a random tail of that power: white Gaussian noise, as the band's envelope. Shape: `[seconds ·
    /// rate · depth / 60]`, the onset first.
    ///
    /// - Parameter depthDecibels: the level under the tail's beginning at which it ends.
    func tail(
        envelopeRateHz: Double, depthDecibels: Double = 60, noise: inout NoiseSource
    ) -> [Complex] {
        let first = terms[0]
        let second = terms.count > 1 ? terms[1] : (weight: 0, perSecond: 0)
        // These are each exponential's value, and the factor that it keeps from sample to sample. Its loss
        // between two samples is the sample's power.
        var a = first.weight * exp(-first.perSecond * onsetSeconds) * energyAtOnce
        var b = second.weight * exp(-second.perSecond * onsetSeconds) * energyAtOnce
        let (keepA, keepB) = (exp(-first.perSecond / envelopeRateHz), exp(-second.perSecond / envelopeRateHz))
        var tail = [Complex](repeating: .zero, count: Int(seconds * envelopeRateHz * depthDecibels / 60))
        let gaussian = noise.samples(2 * tail.count, sigma: Float(0.5).squareRoot())
        for i in tail.indices {
            let amplitude = Float(max(0, a * (1 - keepA) + b * (1 - keepB)).squareRoot())
            tail[i] = Complex(gaussian[2 * i], gaussian[2 * i + 1]) * amplitude
            a *= keepA
            b *= keepB
        }
        return tail
    }
}
