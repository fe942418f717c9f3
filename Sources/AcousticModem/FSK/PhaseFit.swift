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

    /// What arrived of the tones of every symbol. `[symbolCount]`
    static func terms(_ grid: ToneGrid, tones: [Int]) -> [Term] {
        tones.enumerated().map { symbol, tone in
            Term(value: grid.values[symbol * grid.allTones + tone], symbol: symbol, tone: tone)
        }
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
        PhaseFit.phasor(angle(symbol: symbol, tone: tone))
    }

    /// Radians.
    func angle(symbol: Int, tone: Int) -> Double {
        phase + turn(symbol: symbol, tone: tone) * perSymbol + offset(tone: tone) * perTone
    }

    /// How often ω a tone has been turned.
    func turn(symbol: Int, tone: Int) -> Double {
        Double(symbol) * (1 + offset(tone: tone) * sharePerTone)
    }

    /// How often δ.
    func offset(tone: Int) -> Double { Double(tone) - middle }

    static func phasor(_ angle: Double) -> Complex {
        // Turns are taken off first: single precision then does.
        let angle = Float(angle - (angle / (2 * .pi)).rounded() * 2 * .pi)
        return Complex(cos(angle), sin(angle))
    }

    /// The setting at which nothing would be left to turn.
    func corrected(_ setting: FSKTracker.Setting, _ plan: TonePlan) -> FSKTracker.Setting {
        var setting = setting
        setting.start -= perTone / (2 * .pi) * Double(plan.symbolSamples)
        setting.timeScale += perSymbol * sharePerTone / (2 * .pi)
        return setting
    }

    /// On top of the peak that the fit stands on: the turns that bring the terms together best.
    func refined(_ terms: [Term], _ plan: TonePlan) -> PhaseFit {
        let symbols = (terms.map { $0.symbol }.max() ?? 0) + 1
        let columns = PhaseTerms(terms, self)
        var best = self
        var (symbolStep, toneStep) = (1.0 / Double(symbols), 1.0 / Double(plan.allToneCount))
        best.settle(sum: columns.sums(about: best, symbolStep, toneStep)[PhaseFit.centre])
        for _ in 0..<5 {
            let sums = columns.sums(about: best, symbolStep, toneStep)
            let place = sums.indices.max { sums[$0].power < sums[$1].power }!
            let isBetter = place != PhaseFit.centre && sums[place].power > best.power
            if isBetter {
                best.perSymbol += Double(place / 3 - 1) * symbolStep
                best.perTone += Double(place % 3 - 1) * toneStep
                best.settle(sum: sums[place])
            } else {
                (symbolStep, toneStep) = (symbolStep / 2.5, toneStep / 2.5)
            }
        }
        return best
    }

    private static let centre = 4

    /// Of the terms' energy, what the fit brings together: 1 where every phase is as it says.
    func coherence(_ terms: [Term]) -> Float {
        let energy = terms.reduce(Float(0)) { $0 + $1.value.power }
        return energy > 0 ? power / (energy * Float(terms.count)) : 0
    }

    /// Finds the phase, and how well all goes together.
    private mutating func settle(sum: Complex) {
        phase = atan2(Double(sum.im), Double(sum.re))
        power = sum.power
    }
}
