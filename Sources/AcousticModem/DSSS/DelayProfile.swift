import Glibc

/// A model of the spread of energy over delay in a room: a direct path and an exponential tail.
///
///     power │█
///           │█ ▂
///           │█ █▇▆▅▄▃▃▂▂▁▁▁
///           └──┴────────────▶ taps, a chip apart; the reference path is tap 2
struct DelayProfile: Sendable {
    /// The number of taps that the search reads: 53 ms of `dsss`.
    static let tapCount = 64
    static let referenceTap = 2

    let directShare: Double
    let tailSeconds: Double
    /// The expected share of the energy at each tap, summing to 1. `[tapCount]`
    let weights: [Float]
    /// The decay of power from one tap of the tail to the next.
    private let decay: Float

    private init(directShare: Double, tailSeconds: Double, chipRateHz: Double) {
        self.directShare = directShare
        self.tailSeconds = tailSeconds
        func power(afterChips delay: Int) -> Double {
            delay < 0 ? 0 : exp(-Double(delay) / (tailSeconds * chipRateHz))
        }
        decay = Float(power(afterChips: 1))
        let powers = (0..<DelayProfile.tapCount).map { power(afterChips: $0 - DelayProfile.referenceTap) }
        let tail = powers.reduce(0, +)
        weights = powers.enumerated().map { tap, value in
            let direct = tap == DelayProfile.referenceTap ? directShare : 0
            return Float(direct + (1 - directShare) * value / tail)
        }
    }

    /// Returns the expected share of the energy at a tap, also at taps beyond those of the search.
    func weight(tap: Int) -> Float {
        let beyond = tap - DelayProfile.tapCount + 1
        return beyond > 0 ? weights[DelayProfile.tapCount - 1] * pow(decay, Float(beyond)) : weights[tap]
    }

    /// True if the profile has a single path.
    var isSingle: Bool { directShare == 1 }

    /// Returns the profiles that the search tries: a single path, and rooms of RT60 ≈ 0.25 and 0.52 s, bright
    /// and distant.
    static func all(chipRateHz: Double) -> [DelayProfile] {
        [(1.0, 0.018), (0.5, 0.018), (0.2, 0.018), (0.5, 0.0375), (0.2, 0.0375)].map {
            DelayProfile(directShare: $0.0, tailSeconds: $0.1, chipRateHz: chipRateHz)
        }
    }
}

/// The evidence for known chips in the measured power of each tap, if each tap is expected to hold a share of
/// their energy.
///
///     ln Λ = Σ_taps [ g z − ln(1 + p E) ],   g = p E / (1 + p E),  z the tap's power over the noise
struct TapEvidence: Sendable {
    let gains: [Float]
    /// Σ ln(1 + p E).
    let cost: Float

    /// - Parameters:
    ///   - weights: the share p of each tap.
    ///   - energy: the energy E of the chips over the noise density.
    init(_ weights: [Float], energy: Float) {
        gains = weights.map { $0 * energy / (1 + $0 * energy) }
        cost = weights.reduce(0) { $0 + log1p($1 * energy) }
    }

    /// Returns ln Λ of the powers, as many as there are weights.
    func nats(_ powers: some Sequence<Float>) -> Float {
        zip(gains, powers).reduce(-cost) { $0 + $1.0 * $1.1 }
    }
}

/// A delay profile at a pilot energy, with its ``TapEvidence``.
struct DelayHypothesis: Sendable {
    let profileIndex: Int
    /// The energy of a segment's pilots over the noise density.
    let pilotEnergy: Float
    /// The evidence of one segment.
    let evidence: TapEvidence
    /// The price of a tail that may be absent.
    let prior: Float

    static let energies: [Float] = [6, 9, 14, 23, 38, 62, 100, 180]
    private static let tailPrior: Float = 5

    static func all(profiles: [DelayProfile]) -> [DelayHypothesis] {
        profiles.enumerated().flatMap { index, profile in
            energies.map { energy in
                DelayHypothesis(
                    profileIndex: index, pilotEnergy: energy,
                    evidence: TapEvidence(profile.weights, energy: energy),
                    prior: profile.isSingle ? 0 : tailPrior)
            }
        }
    }
}
