import CKernels
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests of the phase search's vector code against the definitions.
@Suite struct PhaseKernelsTests {
    private static func complexes(_ count: Int, _ random: inout SplitMix64, within reach: Float) -> [Complex]
    {
        func part() -> Float { reach * (2 * Float(random.nextUnit()) - 1) }
        return (0..<count).map { _ in Complex(part(), part()) }
    }

    @Test func likelihoods() {
        var random = SplitMix64(seed: 8)
        func unit() -> Float { Float(random.nextUnit()) * 2 - 1 }
        let (symbols, tones, count) = (6, 4, 3)
        let given = Self.complexes(symbols * tones, &random, within: 3)
        let angles = given.map { _ in unit() }
        var values = SplitComplex(given)
        let turns = SplitComplex(angles.map { Complex(cos($0), sin($0)) })
        let weights = given.map { _ in 1 + unit() / 2 }
        let floors = (0..<symbols).map { _ in 2 + unit() }
        var nats = [Float](repeating: 0, count: count)
        nbk_phase_likelihoods(
            &values.re, &values.im, turns.re, turns.im, weights, floors, symbols, tones, count, &nats)
        for m in 0..<count {
            let best = (0..<16).map { step -> Float in
                let phase = Float(step) * .pi / 8
                return (0..<symbols).reduce(Float(0)) { total, i in
                    let sum = (i * tones..<(i + 1) * tones).reduce(floors[i]) { sum, place in
                        let angle = Float(m) * angles[place] - phase
                        return sum + weights[place] * exp((given[place] * Complex(cos(angle), sin(angle))).re)
                    }
                    return total + log(sum)
                }
            }.max()!
            #expect(abs(nats[m] - best) < 0.02)
        }
    }

    /// There is one tone alone, as strong as possible and stronger. The exponent is cut at ±80, and so never
    /// wraps.
    @Test(arguments: [0.5, 40, 79.9, 80, 80.1, 88, 89, 200, 1e4, 1e30] as [Float])
    func likelihoodsOfStrongTones(strength: Float) {
        var values = SplitComplex([Complex(strength, 0)] + Array(repeating: .zero, count: 7))
        let turns = SplitComplex(repeating: Complex(1, 0), count: 8)
        var nats: [Float] = [0]
        let weights: [Float] = [1] + Array(repeating: 0, count: 7)
        nbk_phase_likelihoods(
            &values.re, &values.im, turns.re, turns.im, weights, [1e-30], 1, 1, 1, &nats)
        // The likeliest of the phases is the tone's own.
        #expect(abs(nats[0] - min(strength, 80)) < 0.01)
        // A second symbol contradicts the first. The result is the phase between both, or one of them with
        // the floor of the other.
        let rest = [Complex](repeating: .zero, count: 6)
        var two = SplitComplex([Complex(strength, 0), Complex(-strength, 0)] + rest)
        let pair: [Float] = [1, 1, 0, 0, 0, 0, 0, 0]
        nbk_phase_likelihoods(
            &two.re, &two.im, turns.re, turns.im, pair, [1e-30, 1e-30], 2, 1, 1, &nats)
        let strong = Double(min(strength, 80))
        #expect(abs(Double(nats[0]) - max(0, strong + log(1e-30 + exp(-strong)))) < 0.02)
    }

    /// The weights are as great as possible, and so are the tones. The result is finite, and not less than
    /// without weights.
    @Test func likelihoodsBeyondAllFloats() {
        let weights = [Float](repeating: exp(40), count: 8)
        var values = SplitComplex(Array(repeating: Complex(90, 0), count: 8))
        let turns = SplitComplex(repeating: Complex(1, 0), count: 8)
        var nats: [Float] = [0]
        nbk_phase_likelihoods(&values.re, &values.im, turns.re, turns.im, weights, [1, 1], 2, 4, 1, &nats)
        #expect(nats[0] >= 2 * 88 && nats[0] < 2 * 89)
    }

    /// Terms are turned back by a fit and by its eight neighbours, one by one and added up.
    @Test(arguments: [1, 8, 43]) func sumsAboutAFit(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let plan = TonePlan.nearUltrasonic
        let fit = PhaseFit(plan, perSymbol: 0.7, perTone: -0.3)
        let terms = Self.complexes(count, &random, within: 2).enumerated().map { i, value in
            PhaseFit.Term(value: value, symbol: i, tone: Int(random.nextUnit() * 64))
        }
        let columns = PhaseTerms(terms, fit)
        let (symbolStep, toneStep) = (0.03, 0.02)
        let sums = columns.sums(about: fit, symbolStep, toneStep)
        for place in 0..<9 {
            let other = PhaseFit(
                plan, perSymbol: 0.7 + Double(place / 3 - 1) * symbolStep,
                perTone: -0.3 + Double(place % 3 - 1) * toneStep)
            let sum = terms.reduce(Complex.zero) {
                $0 + $1.value * other.phasor(symbol: $1.symbol, tone: $1.tone).conjugate
            }
            #expect((sums[place] - sum).power.squareRoot() < 1e-4 * Float(count + 1))
        }
        let turned = columns.turnedBack(by: fit, gain: 2)
        let steps = columns.steps(perSymbol: symbolStep)
        for (i, term) in terms.enumerated() {
            let expected = term.value * fit.phasor(symbol: term.symbol, tone: term.tone).conjugate * 2
            #expect((Complex(turned.re[i], turned.im[i]) - expected).power < 1e-8)
            let step = PhaseFit.phasor(-symbolStep * fit.turn(symbol: term.symbol, tone: term.tone))
            #expect((Complex(steps.re[i], steps.im[i]) - step).power < 1e-10)
        }
        #expect(turned.re[count...].allSatisfy { $0 == 0 } && turned.im[count...].allSatisfy { $0 == 0 })
    }

    /// The values of ln I₀ are right on both sides of the series' end, and from 0 on.
    @Test func natsOfATone() {
        var random = SplitMix64(seed: 3)
        let values =
            [Complex.zero] + Self.complexes(23, &random, within: 0.4) + Self.complexes(40, &random, within: 9)
        var nats = [Float](repeating: 0, count: values.count)
        Kernels.floats(values) { nbk_unphased_nats($0, 0.25, -1.5, 1.75, &nats, values.count) }
        for (value, nats) in zip(values, nats) {
            let magnitude = Double(value.power).squareRoot()
            let exact = 0.25 * Double(value.power) - 1.5 + ToneTable.logI0(1.75 * magnitude)
            #expect(abs(Double(nats) - exact) < 1e-4 * max(1, abs(exact)))
        }
        Kernels.floats(values) { nbk_phased_nats($0, 0.25, -1.5, 1.75, 0.4, -0.11, &nats, values.count) }
        for (i, value) in values.enumerated() {
            let angle = Float(0.4 - 0.11 * Double(i))
            let part = (value * Complex(cos(angle), -sin(angle))).re
            #expect(abs(nats[i] - (0.25 * value.power - 1.5 + 1.75 * part)) < 1e-4)
        }
    }

    @Test func sharesAddUpToOne() {
        var random = SplitMix64(seed: 9)
        let nats = (0..<64).map { _ in Float(300 * random.nextUnit() - 100) }
        var shares = nats
        let mean = nbk_shares(nats, &shares, nats.count)
        let most = Double(nats.max()!)
        let sum = nats.reduce(0) { $0 + exp(Double($1) - most) }
        #expect(abs(Double(mean) - (most + log(sum / 64))) < 1e-4)
        #expect(abs(shares.reduce(0, +) - 1) < 1e-5)
        for (nats, share) in zip(nats, shares) {
            #expect(abs(Double(share) - exp(Double(nats) - most) / sum) < 1e-6)
        }
    }
}
