import Glibc
import Signal

/// How much each tap of the RAKE is expected to carry, from what the search believed of the room and what the known
/// chips show of this one.
///
///     expected │        █▆▅▄▃▃▂▂▁▁         the profile, and a little before it: the first path may be the faint one
///     measured │  ▁ ▃ ▁▁▇▁▅▁▄▁▁▃▁▁▂▁       real rooms are spiky: a tap is on or off
///              └────────┴──────────▶ taps, a chip apart; the reference path is tap 32
///
/// A tap is on with probability π, then of mean energy q / π; the known chips' sums in three parts of the segment
/// (so that a moving path counts, too) turn π into the probability that this one is.
struct TapLoads: Sendable {
    static let tapCount = 96
    static let referenceTap = 32

    private static let parts = 3
    private static let onShare: Float = 0.5
    private static let earlyOnShare: Float = 0.2
    /// Of what a tap after the reference has, one just before it; and how fast that falls, in chips.
    private static let earlyShare: Float = 0.3
    private static let earlyChips: Float = 12

    /// Expected share of the energy at each tap. `[tapCount]`
    private let shares: [Float]

    init(profile: DelayProfile) {
        let tail = profile.weights[DelayProfile.referenceTap + 1]
        shares = (0..<TapLoads.tapCount).map { tap in
            let late = tap - TapLoads.referenceTap
            if late >= 0 {
                let index = late + DelayProfile.referenceTap
                return index < DelayProfile.tapCount ? profile.weights[index] : 0
            }
            return tail * TapLoads.earlyShare * exp(Float(late) / TapLoads.earlyChips)
        }
    }

    /// p · e of each tap, e the energy of a chip over the noise density. `[tapCount]`
    ///
    /// - Parameter chips: `re`, `im` at tap 0 of chip 0.
    func loads(
        _ re: UnsafePointer<Float>, _ im: UnsafePointer<Float>, known: KnownChips, chipEnergy: Float
    ) -> [Float] {
        let (powers, energy) = TapLoads.measure(re, im, known)
        return (0..<TapLoads.tapCount).map { tap in
            let on = tap < TapLoads.referenceTap ? TapLoads.earlyOnShare : TapLoads.onShare
            let load = shares[tap] * chipEnergy / on
            let part = load * energy / Float(TapLoads.parts)
            let ratio = powers[tap / 8][tap % 8] * part / (1 + part) - Float(TapLoads.parts) * log1p(part)
            let odds = on / (1 - on) * exp(min(ratio, 30))
            return load * odds / (1 + odds)
        }
    }

    /// Power at each tap over the noise, as the pilots show it. `[tapCount]`
    ///
    /// - Parameter chips: as ``Tracker`` makes them, scaled to unit power, noise and all.
    static func powers(_ chips: [Complex], pilots: KnownChips) -> [Float] {
        let (re, im) = (chips.map { $0.re }, chips.map { $0.im })
        let origin = Tracker.leadChips - referenceTap
        let powers = re.withUnsafeBufferPointer { re in
            im.withUnsafeBufferPointer { im in
                measure(re.baseAddress! + origin, im.baseAddress! + origin, pilots).powers
            }
        }
        return (0..<tapCount).map { powers[$0 / 8][$0 % 8] / Float(parts) }
    }

    /// A value for each tap, eight by eight.
    private typealias Taps = InlineArray<12, SIMD8<Float>>

    /// Σ over the parts of |Σ w x y|² / Σ w² at each tap, and Σ w² of a whole segment.
    private static func measure(
        _ re: UnsafePointer<Float>, _ im: UnsafePointer<Float>, _ known: KnownChips
    ) -> (powers: Taps, energy: Float) {
        let count = known.values.count
        var powers = Taps(repeating: .zero)
        var total: Float = 0
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
            total += energy
            for v in powers.indices {
                powers[v] += (sumRe[v] * sumRe[v] + sumIm[v] * sumIm[v]) * (1 / energy)
            }
        }
        return (powers, total)
    }
}
