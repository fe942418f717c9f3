import Glibc
import Signal

/// The phases of a frame's tones, when one path carries it: symbols begin at phase 0 as sent, so that what arrives turns
/// evenly with time, by the Doppler that is left, and with frequency, by the delay that is left.
///
///     phase(symbol, tone) = φ + ω · symbol · f / f₀ + δ · tone          f: the tone's own frequency, f₀: the band's middle
struct PhaseFit: Sendable, Hashable {
    /// Something that arrived, and how much it counts.
    struct Term: Sendable {
        var value: Complex
        var symbol: Int
        /// Counted through all sub-bands.
        var tone: Int
    }

    /// φ, ω and δ, radians.
    private(set) var phase = 0.0
    private(set) var perSymbol: Double
    private(set) var perTone: Double
    /// |Σ of the terms, turned back|².
    private var power: Float = 0
    /// Of the middle tone, and how a tone's frequency differs from it, as a share.
    private let middle: Double
    private let sharePerTone: Double

    init(_ plan: TonePlan, perSymbol: Double = 0, perTone: Double = 0) {
        (self.perSymbol, self.perTone) = (perSymbol, perTone)
        middle = Double(plan.allToneCount) / 2
        sharePerTone = plan.spacingHz / (plan.frequencyHz(ofTone: 0) + middle * plan.spacingHz)
    }

    func phasor(symbol: Int, tone: Int) -> Complex {
        PhaseFit.phasor(
            phase + turn(symbol: symbol, tone: tone) * perSymbol + (Double(tone) - middle) * perTone)
    }

    /// How often ω a tone has been turned.
    func turn(symbol: Int, tone: Int) -> Double {
        Double(symbol) * (1 + (Double(tone) - middle) * sharePerTone)
    }

    static func phasor(_ angle: Double) -> Complex { Complex(Float(cos(angle)), Float(sin(angle))) }

    /// The setting at which nothing would be left to turn.
    func corrected(_ setting: FSKTracker.Setting, _ plan: TonePlan) -> FSKTracker.Setting {
        var setting = setting
        setting.start -= perTone / (2 * .pi) * Double(plan.symbolSamples)
        setting.timeScale += perSymbol * sharePerTone / (2 * .pi)
        return setting
    }

    /// On top of the peak that the fit stands on: the turns that bring the terms together best.
    func refined(_ terms: [Term], _ plan: TonePlan) -> PhaseFit {
        let symbols = (terms.map(\.symbol).max() ?? 0) + 1
        var best = self
        best.settle(terms)
        var (symbolStep, toneStep) = (1.0 / Double(symbols), 1.0 / Double(plan.allToneCount))
        for _ in 0..<5 {
            let centre = best
            for i in -1...1 {
                for j in -1...1 where i != 0 || j != 0 {
                    var fit = centre
                    fit.perSymbol += Double(i) * symbolStep
                    fit.perTone += Double(j) * toneStep
                    fit.settle(terms)
                    if fit.power > best.power { best = fit }
                }
            }
            if best.perSymbol == centre.perSymbol, best.perTone == centre.perTone {
                (symbolStep, toneStep) = (symbolStep / 2.5, toneStep / 2.5)
            }
        }
        return best
    }

    /// Of the terms' energy, what the fit brings together: 1 where every phase is as it says.
    func coherence(_ terms: [Term]) -> Float {
        let energy = terms.reduce(Float(0)) { $0 + $1.value.power }
        return energy > 0 ? power / (energy * Float(terms.count)) : 0
    }

    /// Finds the phase, and how well all goes together.
    private mutating func settle(_ terms: [Term]) {
        phase = 0
        let sum = terms.reduce(Complex.zero) {
            $0 + $1.value * phasor(symbol: $1.symbol, tone: $1.tone).conjugate
        }
        phase = atan2(Double(sum.im), Double(sum.re))
        power = sum.power
    }
}
