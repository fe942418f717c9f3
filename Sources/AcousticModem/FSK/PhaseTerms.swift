import CKernels
import Signal

/// What arrived of likely tones, by columns, as vectors like them: zeros fill the last one.
struct PhaseTerms: Sendable {
    private(set) var re: [Float]
    private(set) var im: [Float]
    /// How often each has been turned by ω and by δ of a ``PhaseFit``.
    private let turns: [Float]
    private let offsets: [Float]

    var count: Int { re.count }

    init(_ terms: [PhaseFit.Term], _ fit: PhaseFit) {
        let rest = [Float](repeating: 0, count: -terms.count & 7)
        re = terms.map { $0.value.re } + rest
        im = terms.map { $0.value.im } + rest
        turns = terms.map { Float(fit.turn(symbol: $0.symbol, tone: $0.tone)) } + rest
        offsets = terms.map { Float(fit.offset(tone: $0.tone)) } + rest
    }

    /// Turned back by what a fit says, but for φ, and `gain` times as great.
    func turnedBack(by fit: PhaseFit, gain: Float) -> PhaseTerms {
        var terms = self
        nbk_turn_back(
            re, im, turns, offsets, Float(fit.perSymbol), Float(fit.perTone), gain, &terms.re, &terms.im,
            count)
        return terms
    }

    /// By how much each turns when ω grows by that, backwards. `[count]`
    func steps(perSymbol: Double) -> SplitComplex {
        var steps = SplitComplex(repeating: .zero, count: count)
        nbk_turns(turns, offsets, Float(-perSymbol), 0, &steps.re, &steps.im, count)
        return steps
    }

    /// All turned back and added up, for the nine fits that are steps of ω and δ about one. `[3][3]`
    func sums(about fit: PhaseFit, _ symbolStep: Double, _ toneStep: Double) -> [Complex] {
        var sums = [Complex](repeating: .zero, count: 9)
        sums.withUnsafeMutableBufferPointer {
            Kernels.floats($0.baseAddress!) {
                nbk_sums_about(
                    re, im, turns, offsets, Float(fit.perSymbol), Float(fit.perTone), Float(symbolStep),
                    Float(toneStep), count, $0)
            }
        }
        return sums
    }

    /// For turns of time from this one on, in `nats.count` steps: how likely what arrived is, `nbk_phase_likelihoods` in
    /// `kernels.h`. The values are left turned.
    mutating func likelihoods(
        _ turns: SplitComplex, weights: [Float], floors: [Float], tones: Int,
        into nats: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(
            turns.re.count == count && floors.count * tones <= weights.count && weights.count <= count)
        nbk_phase_likelihoods(
            &re, &im, turns.re, turns.im, weights, floors, floors.count, tones, nats.count, nats.baseAddress!)
    }
}
