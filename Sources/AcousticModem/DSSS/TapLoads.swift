import Glibc
import Signal

/// The energy that each tap of the RAKE is expected to carry, from the search's delay profile and from the
/// known chips of this frame.
///
///     expected │        █▆▅▄▃▃▂▂▁▁         the profile, and before it: the first path may be faint
///     measured │  ▁ ▃ ▁▁▇▁▅▁▄▁▁▃▁▁▂▁       real rooms are spiky: a tap is on or off
///              └────────┴──────────▶ taps, a chip apart; the reference path is tap 32
///
/// A tap is on with probability π, and then has the mean energy q / π. The known chips' sums in three parts
/// of the segment (so that a moving path counts, too) turn π into the probability that this tap is on.
struct TapLoads: Sendable {
    static let tapCount = 128
    static let referenceTap = 32

    /// A value for each tap, in vectors of eight.
    typealias Taps = InlineArray<16, SIMD8<Float>>

    /// The values that the known chips of a segment give each tap.
    struct Reading {
        /// p · e, with e the energy of a chip over the noise density.
        var loads: Taps
        /// The echo that a chip of +1 is expected to leave at each tap.
        var echoRe: Taps
        var echoIm: Taps
    }

    private static let parts = 3
    private static let onShare: Float = 0.5
    private static let earlyOnShare: Float = 0.2
    /// The share of a tap just before the reference in that of a tap after it, and the number of chips in
    /// which it falls to e⁻¹.
    private static let earlyShare: Float = 0.3
    private static let earlyChips: Float = 12

    /// The expected share of the energy at each tap. `[tapCount]`
    private let shares: [Float]

    init(profile: DelayProfile) {
        let tail = profile.weights[DelayProfile.referenceTap + 1]
        shares = (0..<TapLoads.tapCount).map { tap in
            let late = tap - TapLoads.referenceTap
            return late >= 0
                ? profile.weight(tap: late + DelayProfile.referenceTap)
                : tail * TapLoads.earlyShare * exp(Float(late) / TapLoads.earlyChips)
        }
    }

    /// Returns the loads and echoes of each tap. `re` and `im` point at tap 0 of chip 0.
    func read(
        _ re: UnsafePointer<Float>, _ im: UnsafePointer<Float>, known: KnownChips, chipEnergy: Float
    ) -> Reading {
        let sums = TapLoads.measure(re, im, known)
        var reading = Reading(loads: Taps(repeating: .zero), echoRe: sums.re, echoIm: sums.im)
        for tap in 0..<TapLoads.tapCount {
            let (v, lane) = (tap / 8, tap % 8)
            let on = tap < TapLoads.referenceTap ? TapLoads.earlyOnShare : TapLoads.onShare
            let expected = shares[tap] * chipEnergy / on
            let part = expected * sums.energy / Float(TapLoads.parts)
            let ratio = sums.powers[v][lane] * part / (1 + part) - Float(TapLoads.parts) * log1p(part)
            let odds = on / (1 - on) * exp(min(ratio, 30))
            let load = expected * odds / (1 + odds)
            reading.loads[v][lane] = load
            let gain = load / (1 + load * sums.energy)
            reading.echoRe[v][lane] *= gain
            reading.echoIm[v][lane] *= gain
        }
        return reading
    }

    /// Returns the power at each tap over the noise, as the pilots show it. `[tapCount]`
    ///
    /// - Parameter chips: the chips as ``Tracker`` makes them, scaled to unit power, noise included.
    static func powers(_ chips: [Complex], pilots: KnownChips) -> [Float] {
        let powers = measure(chips, pilots).powers
        return (0..<tapCount).map { powers[$0 / 8][$0 % 8] / Float(parts) }
    }

    /// Returns the power of the pilots' sum over the whole segment at each tap, 1 in noise. `[tapCount]`
    ///
    /// - Parameter chips: as for ``powers(_:pilots:)``.
    static func coherentPowers(_ chips: [Complex], pilots: KnownChips) -> [Float] {
        let sums = measure(chips, pilots)
        return (0..<tapCount).map {
            let sum = Complex(sums.re[$0 / 8][$0 % 8], sums.im[$0 / 8][$0 % 8])
            return sum.power / max(sums.energy, 1)
        }
    }

    private static func measure(_ chips: [Complex], _ known: KnownChips) -> Sums {
        let (re, im) = (chips.map { $0.re }, chips.map { $0.im })
        let origin = Tracker.leadChips - referenceTap
        return re.withUnsafeBufferPointer { re in
            im.withUnsafeBufferPointer { im in
                measure(re.baseAddress! + origin, im.baseAddress! + origin, known)
            }
        }
    }

    /// Sums over the known chips.
    private struct Sums {
        /// Σ over the parts of |Σ w x y|² / Σ w² at each tap.
        var powers = Taps(repeating: .zero)
        /// Σ w x y at each tap, and Σ w².
        var re = Taps(repeating: .zero)
        var im = Taps(repeating: .zero)
        var energy: Float = 0
    }

    private static func measure(
        _ re: UnsafePointer<Float>, _ im: UnsafePointer<Float>, _ known: KnownChips
    ) -> Sums {
        let count = known.values.count
        var sums = Sums()
        for part in 0..<parts {
            var (sumRe, sumIm) = (Taps(repeating: .zero), Taps(repeating: .zero))
            var energy: Float = 0
            for i in part * count / parts..<(part + 1) * count / parts where known.weights[i] > 0 {
                let chip = known.weights[i] * known.values[i]
                energy += known.weights[i] * known.weights[i]
                for v in sumRe.indices {
                    sumRe[v] += UnsafeRawPointer(re + i + 8 * v).loadUnaligned(as: SIMD8<Float>.self) * chip
                    sumIm[v] += UnsafeRawPointer(im + i + 8 * v).loadUnaligned(as: SIMD8<Float>.self) * chip
                }
            }
            guard energy > 0 else { continue }
            sums.energy += energy
            for v in sumRe.indices {
                sums.re[v] += sumRe[v]
                sums.im[v] += sumIm[v]
                sums.powers[v] += (sumRe[v] * sumRe[v] + sumIm[v] * sumIm[v]) * (1 / energy)
            }
        }
        return sums
    }
}
