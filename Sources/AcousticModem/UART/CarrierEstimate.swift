import Glibc
import Signal

/// An estimate of the level of a carrier and of the noise under it, from the bits of a burst.
struct CarrierEstimate: Sendable {
    /// The mean amplitude of the tones.
    let amplitude: Float
    /// The mean energy of noise in a tone.
    let noise: Float

    /// The least noise that is assumed: edges that fall between steps, and real tones of a few cycles, leave
    /// as much.
    private static let cleanest: Float = 1 / 200

    init(_ tones: ToneEvidence) {
        let count = Float(max(1, tones.bitCount))
        amplitude = tones.amplitude / count
        noise = max(
            tones.residue / count, CarrierEstimate.cleanest * amplitude * amplitude, Kernels.leastPower)
    }

    /// Returns Eb/N0 of the bits on the line: the energy beyond that of noise, over the noise.
    func bitEnergy(_ tones: ToneEvidence) -> Float {
        max(tones.energy / Float(max(1, tones.bitCount)) / noise - 1, 0.01)
    }

    /// Returns the log likelihood ratio of tones as this carrier's over noise alone. Each bit counts for one
    /// nat at most, so that sudden sound does not outweigh lasting sound. Tones in too much of other noise
    /// are not the carrier's.
    func nats(_ tones: ToneEvidence) -> Float {
        let count = Float(tones.bitCount)
        guard count > 0 else { return 0 }
        let z = 2 * amplitude * (tones.amplitude / count) / noise
        let bessel = z - 0.5 * logf(1 + 2 * .pi * z)  // ln I₀(z)
        let surplus = max(0, tones.residue / noise - 3 * count)
        return max(-count, min(count, count * (bessel - amplitude * amplitude / noise) - surplus))
    }
}

extension ToneEvidence {
    /// ln of all energy over the energy that a carrier of one level leaves unexplained: it shows whether
    /// there is a carrier, without a known level. 0 in silence.
    var carrierLogRatio: Float {
        guard bitCount > 0, energy > Kernels.leastPower else { return 0 }
        let spread = max(0, energy - amplitude * amplitude / Float(bitCount))
        return min(6, logf((energy + residue) / (residue + spread + 1e-6 * energy)))
    }
}
