import Glibc
import Signal

/// The posterior probabilities of nibbles, as logarithms, from sixteen powers for each tone.
///
/// The model is a tone of unknown phase in white noise: looks of power P (in units of the noise) under a tone
/// γ times as strong as the noise have the likelihood ratio I₀(2 √(γ P)) e^{−γ} to noise alone. Noise and γ
/// are estimated for each of the tones that sound at once, over all chunks; a chunk with more noise than most
/// has less weight.
struct GGWaveLikelihoods: Sendable {
    /// The values ln p(nibble), `[nibbles][16]`.
    private(set) var logarithms: [Float]
    /// The medians over the tones that sound at once of the powers of one look, in units of
    /// ``GGWaveToneReader``.
    let tonePower: Float
    let noisePower: Float

    /// The probability that a chunk does not follow the model: it bounds the certainty of each nibble.
    private static let doubt: Float = 0.01

    /// - Parameters:
    ///   - powers: `[chunks][looks][tones][16]`.
    ///   - tones: the number of nibbles in a chunk.
    init(powers: [Float], looks: Int, tones: Int) {
        let chunks = powers.count / (looks * tones * 16)
        logarithms = [Float](repeating: 0, count: chunks * tones * 16)
        var (tonePowers, noisePowers): ([Float], [Float]) = ([], [])
        for tone in 0..<tones {
            let view = View(powers: powers, looks: looks, tones: tones, tone: tone)
            let parts = (0..<chunks).map(view.split)
            let noise = max(parts.map { $0.noise }.median, Kernels.leastPower)
            let strength = max(parts.map { $0.peak }.median - noise, 0.3 * noise)
            for chunk in 0..<chunks {
                let noiseHere = max(noise, parts[chunk].noise)
                view.posterior(
                    chunk, noise: noiseHere, ratio: strength / noiseHere, into: &logarithms)
            }
            tonePowers.append(strength)
            noisePowers.append(noise)
        }
        tonePower = tonePowers.median
        noisePower = noisePowers.median
    }

    /// Returns the most probable nibble, its logarithm, and those of the next.
    func best(_ nibble: Int) -> (value: Int, logarithm: Float, next: Int, nextLogarithm: Float) {
        var (first, second) = (0, 1)
        if self[nibble, 1] > self[nibble, 0] { (first, second) = (1, 0) }
        for value in 2..<16 where self[nibble, value] > self[nibble, second] {
            second = value
            if self[nibble, second] > self[nibble, first] { (first, second) = (second, first) }
        }
        return (first, self[nibble, first], second, self[nibble, second])
    }

    subscript(nibble: Int, value: Int) -> Float { logarithms[16 * nibble + value] }

    /// Returns ln p(byte); the low nibble comes first.
    func logarithm(of byte: UInt8, at index: Int) -> Float {
        self[2 * index, Int(byte & 0xF)] + self[2 * index + 1, Int(byte >> 4)]
    }

    /// The view of one of the tones that sound at once.
    private struct View {
        let powers: [Float]
        let looks: Int
        let tones: Int
        let tone: Int

        func power(_ chunk: Int, _ look: Int, _ value: Int) -> Float {
            powers[((chunk * looks + look) * tones + tone) * 16 + value]
        }

        /// Returns the strongest of the sixteen powers, and the mean of the others.
        func split(_ chunk: Int) -> (peak: Float, noise: Float) {
            var (peak, sum): (Float, Float) = (0, 0)
            for value in 0..<16 {
                var total: Float = 0
                for look in 0..<looks { total += power(chunk, look, value) }
                peak = max(peak, total)
                sum += total
            }
            return (peak / Float(looks), (sum - peak) / Float(15 * looks))
        }

        func posterior(_ chunk: Int, noise: Float, ratio: Float, into logarithms: inout [Float]) {
            var values = SIMD16<Float>.zero
            for value in 0..<16 {
                for look in 0..<looks {
                    values[value] += logBessel(2 * (ratio * power(chunk, look, value) / noise).squareRoot())
                }
            }
            values -= values.max()
            var total: Float = 0
            for value in 0..<16 {
                values[value] = exp(values[value])
                total += values[value]
            }
            let first = (chunk * tones + tone) * 16
            for value in 0..<16 {
                let trusted = (1 - GGWaveLikelihoods.doubt) * values[value] / total
                logarithms[first + value] = log(trusted + GGWaveLikelihoods.doubt / 16)
            }
        }
    }
}

/// Returns ln I₀(x), x ≥ 0, to 0.01: by a series, then by the asymptotic one.
func logBessel(_ x: Float) -> Float {
    guard x > 2.5 else {
        let q = x * x / 4
        return log(1 + q * (1 + q * (0.25 + q * (1.0 / 36 + q * (1.0 / 576)))))
    }
    return x - 0.5 * log(2 * .pi * x) + log(1 + (0.125 + 0.0703125 / x) / x)
}

extension [Float] {
    /// The median, the upper one of two; 0 if the array is empty.
    var median: Float { isEmpty ? 0 : sorted()[count / 2] }
}
