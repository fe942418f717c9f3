import Glibc
import Signal

/// The phases of a frame's tones if one path carries it. Symbols begin at phase 0 as sent, so the received
/// phase turns evenly with time, by the residual Doppler, and with frequency, by the residual delay.
///
///     phase(symbol, tone) = φ + ω · symbol · f / f₀ + δ · tone   f: the tone, f₀: the band's middle
struct PhaseFit: Sendable, Hashable {
    /// A received value with the symbol and the tone that it belongs to.
    struct Term: Sendable {
        var value: Complex
        var symbol: Int
        /// Counted through all sub-bands.
        var tone: Int
    }

    /// Returns the received values of each symbol's given tone. `[symbolCount]`
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
    /// The index of the middle tone, and the relative frequency difference from one tone to the next.
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

    /// Returns the phase of a tone in radians.
    func angle(symbol: Int, tone: Int) -> Double {
        phase + turn(symbol: symbol, tone: tone) * perSymbol + offset(tone: tone) * perTone
    }

    /// Returns the multiple of ω by which a tone has turned.
    func turn(symbol: Int, tone: Int) -> Double {
        Double(symbol) * (1 + offset(tone: tone) * sharePerTone)
    }

    /// Returns the multiple of δ by which a tone has turned.
    func offset(tone: Int) -> Double { Double(tone) - middle }

    static func phasor(_ angle: Double) -> Complex {
        // Whole turns are taken off first: single precision is then enough.
        let angle = Float(angle - (angle / (2 * .pi)).rounded() * 2 * .pi)
        return Complex(cos(angle), sin(angle))
    }

    /// Returns the setting at which no turn would remain.
    func corrected(_ setting: FSKTracker.Setting, _ plan: TonePlan) -> FSKTracker.Setting {
        var setting = setting
        setting.start -= perTone / (2 * .pi) * Double(plan.symbolSamples)
        setting.timeScale += perSymbol * sharePerTone / (2 * .pi)
        return setting
    }

    /// Returns the fit, refined from the peak that it stands on, that aligns the terms best.
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

    /// Returns the share of the terms' energy that the fit aligns: 1 if every phase is as the fit says.
    func coherence(_ terms: [Term]) -> Float {
        let energy = terms.reduce(Float(0)) { $0 + $1.value.power }
        return energy > 0 ? power / (energy * Float(terms.count)) : 0
    }

    /// Sets the phase, and the power of the aligned sum.
    private mutating func settle(sum: Complex) {
        phase = atan2(Double(sum.im), Double(sum.re))
        power = sum.power
    }
}
