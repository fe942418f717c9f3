import Glibc

/// A test of linearity: whether sound that is played louder arrives as much louder.
///
/// The gain of each level in the token band is compared with that of the quietest one that noise does not
/// blur. From there upwards levels are linear until the first whose gain is beyond ``toleranceDecibels``. A
/// speaker's limiter or clipping, the microphone's, or an automatic gain changes it.
struct Linearity {
    static let toleranceDecibels = 1.0
    /// The greatest relative error of the level that others are compared with.
    private static let mostReferenceError = 0.06

    /// The steps, from the quietest up.
    let steps: [SoundingReport.Step]

    /// The index of the loudest linear step; `nil` if no level was heard in the token band.
    let loudestLinear: Int?

    /// - Parameter sweeps: the gains in the order in which the sweeps were played.
    init(_ sweeps: [SweepGains]) {
        let levels = Set(SoundingSignal.levelsDecibels).sorted()
        let gains = levels.map { Linearity.gain(ofLevel: $0, sweeps) }
        // If the loudest is not heard, any other that seems heard is chance.
        let heard = gains.last.map { $0 != nil } ?? false
        let clear = gains.firstIndex { $0.map { $0.relativeError < Linearity.mostReferenceError } ?? false }
        let reference = heard ? clear ?? gains.count - 1 : nil
        var loudest = reference
        var isLinear = true
        for index in gains.indices where index > reference ?? gains.count {
            isLinear = isLinear && Linearity.agree(gains[index], gains[reference!])
            if isLinear { loudest = index }
        }
        loudestLinear = loudest
        steps = levels.indices.map { index in
            SoundingReport.Step(
                levelDBFS: 20 * log10(SoundingSignal.amplitude(ofLevel: levels[index])),
                gainDecibels: gains[index].map { 10 * log10($0.power) },
                isLinear: loudest.map { index <= $0 } ?? false)
        }
    }

    private static func agree(_ gain: MeasuredPower?, _ reference: MeasuredPower?) -> Bool {
        guard let gain, let reference else { return false }
        let blur = 10 * log10(1 + 2 * (gain.relativeError + reference.relativeError))
        return abs(10 * log10(gain.power / reference.power)) <= toleranceDecibels + blur
    }

    /// Returns |H|² over the token band; for the loudest level the mean of both sweeps.
    private static func gain(ofLevel level: Double, _ sweeps: [SweepGains]) -> MeasuredPower? {
        let chosen = zip(SoundingSignal.levelsDecibels, sweeps).filter { $0.0 == level }.map { $0.1 }
        let energy = pow(SoundingSignal.amplitude(ofLevel: level), 2) * Double(chosen.count)
        func mean(_ values: (SweepGains) -> [Double]) -> Double {
            let bands = chosen.map { SoundingBand.mean(values($0), within: SoundingBand.tokensHz) }
            return bands.reduce(0, +) / energy
        }
        let bandwidth = SoundingBand.tokensHz.upperBound - SoundingBand.tokensHz.lowerBound
        return MeasuredPower(
            power: mean { $0.powers }, noisePower: mean { $0.noisePowers },
            bandwidthHz: bandwidth, valuesPerHertz: chosen.reduce(0) { $0 + $1.gateSeconds })
    }
}
