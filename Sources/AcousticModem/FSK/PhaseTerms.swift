import CKernels
import Signal

/// The received values of likely tones, by columns, as whole vectors: zeros fill the last one.
struct PhaseTerms: Sendable {
    private(set) var re: [Float]
    private(set) var im: [Float]
    /// The number of turns of each value by ω and by δ of a ``PhaseFit``.
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

    /// Returns the values turned back by a fit, except for φ, and multiplied by `gain`.
    func turnedBack(by fit: PhaseFit, gain: Float) -> PhaseTerms {
        var terms = self
        nbk_turn_back(
            re, im, turns, offsets, Float(fit.perSymbol), Float(fit.perTone), gain, &terms.re, &terms.im,
            count)
        return terms
    }

    /// Returns the phasors by which each value turns backwards when ω grows by `perSymbol`. `[count]`
    func steps(perSymbol: Double) -> SplitComplex {
        var steps = SplitComplex(repeating: .zero, count: count)
        nbk_turns(turns, offsets, Float(-perSymbol), 0, &steps.re, &steps.im, count)
        return steps
    }

    /// Returns the sums of all values, turned back, for the nine fits that are steps of ω and δ about one.
    /// `[3][3]`
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

    /// Computes how likely the received values are for `nats.count` turns of time, in steps from this one on;
    /// see `nbk_phase_likelihoods` in `kernels.h`. The values are left turned.
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
