import Glibc
import Testing

@testable import Signal

/// Tests of both algorithms for the energies of tones, against the plain sum.
@Suite struct ToneBankTests {
    /// Checks the energies within 10⁻³ of the greatest one, or of the average energy of these windows, which
    /// are uniform within ±½.
    private func expectClose(_ energies: [Float], _ expected: [Double], _ windowCount: Int) {
        let tolerance = 1e-3 * max(expected.max() ?? 0, Double(windowCount) / 12)
        for (energy, wanted) in zip(energies, expected) { #expect(abs(Double(energy) - wanted) <= tolerance) }
    }

    @Test(arguments: [1, 2, 40, 480, 1023, 4096], [1, 2, 7, 8, 9, 24, 41])
    func tonesOnNoGrid(windowCount: Int, toneCount: Int) {
        var random = RandomSamples(seed: 1)
        let x = random.floats(windowCount)
        let frequencies = (0..<toneCount).map { 0.011 + 0.483 * Double($0) / Double(toneCount) }
        var bank = ToneBank(windowCount: windowCount, frequencies: frequencies)
        #expect(bank.method == .goertzel)
        var energies = [Float](repeating: -1, count: toneCount)
        bank.energies(of: x, into: &energies)
        expectClose(energies, ToneBank.reference(x, frequencies: frequencies), windowCount)
    }

    /// The tones include bin 0, half the rate, and bins beyond it, which are mirrored.
    @Test(arguments: [2, 6, 64, 1000, 1024]) func tonesOnTheGrid(windowCount: Int) {
        var random = RandomSamples(seed: 2)
        let x = random.floats(windowCount)
        let frequencies = (0..<windowCount).map { Double($0) / Double(windowCount) }
        let expected = ToneBank.reference(x, frequencies: frequencies)
        for method in [ToneBank.Method.goertzel, .transform] {
            var bank = ToneBank(windowCount: windowCount, frequencies: frequencies, method: method)
            var energies = [Float](repeating: -1, count: windowCount)
            bank.energies(of: x, into: &energies)
            expectClose(energies, expected, windowCount)
        }
    }

    @Test(arguments: [1, 37, 500]) func complexSamples(windowCount: Int) {
        var random = RandomSamples(seed: 3)
        let z = random.complexes(windowCount)
        let frequencies = [-0.4, -0.11, 0, 0.03, 0.31]
        var bank = ToneBank(windowCount: windowCount, frequencies: frequencies)
        var energies = [Float](repeating: -1, count: frequencies.count)
        bank.energies(of: z, into: &energies)
        let expected = frequencies.map { frequency -> Double in
            var (re, im) = (0.0, 0.0)
            for n in z.indices {
                let (c, s) = (
                    cos(2 * .pi * frequency * Double(n)), sin(2 * .pi * frequency * Double(n))
                )
                re += Double(z[n].re) * c + Double(z[n].im) * s
                im += Double(z[n].im) * c - Double(z[n].re) * s
            }
            return re * re + im * im
        }
        expectClose(energies, expected, windowCount)
    }

    /// The faster algorithm is chosen: `nearby-modem bench` measures where they cross.
    @Test func theChoice() {
        func grid(_ count: Int, step: Double = 1) -> [Double] {
            (1...count).map { Double($0) * step / 1024 }
        }
        #expect(ToneBank(windowCount: 1024, frequencies: grid(1)).method == .goertzel)
        #expect(ToneBank(windowCount: 1024, frequencies: grid(96)).method == .transform)
        #expect(ToneBank(windowCount: 1024, frequencies: grid(96, step: 1.5)).method == .goertzel)
        #expect(ToneBank(windowCount: 1023, frequencies: grid(96)).method == .goertzel)
    }
}
