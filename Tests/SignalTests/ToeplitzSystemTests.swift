import Signal
import Testing

@Suite struct ToeplitzSystemTests {
    private static func complex(_ random: inout SplitMix64) -> Complex {
        Complex(Float(random.nextUnit() - 0.5), Float(random.nextUnit() - 0.5))
    }

    /// Returns the sum of each row of the matrix times `x`.
    private static func product(_ column: [Complex], _ x: [Complex]) -> [Complex] {
        x.indices.map { i in
            x.indices.reduce(Complex.zero) { sum, j in
                sum + (i >= j ? column[i - j] : column[j - i].conjugate) * x[j]
            }
        }
    }

    /// A filter that explains all of a sound is found with all of its taps.
    @Test(arguments: [1, 2, 3, 17, 100]) func findsTheTapsOfAKnownFilter(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let taps = (0..<count).map { _ in Self.complex(&random) }
        var column = (0..<count).map { _ in Self.complex(&random) * (1 / Float(count)) }
        column[0] = Complex(4)
        let right = Self.product(column, taps)
        let energy = zip(taps, right).reduce(Float(0)) { $0 + ($1.0.conjugate * $1.1).re }
        ToeplitzSystem.withBestFilter(
            column: column, right: right, energy: Double(energy), sampleCount: 1_000_000
        ) { re, im, tapCount in
            #expect(tapCount == count)
            for i in 0..<tapCount {
                #expect((Complex(Float(re[i]), Float(im[i])) - taps[i]).power < 1e-8)
            }
        }
    }

    /// Taps that explain less than chance would are left out: the solution is that of the system of the rest.
    @Test func leavesOutTapsThatExplainNothing() {
        var random = SplitMix64(seed: 4)
        let column = [Complex(1000)] + [Complex](repeating: .zero, count: 99)
        var right = (0..<100).map { _ in Self.complex(&random) * 0.1 }
        right[0] = Complex(900, 200)
        right[7] = Complex(-300, 100)
        ToeplitzSystem.withBestFilter(column: column, right: right, energy: 2000, sampleCount: 1000) {
            re, im, tapCount in
            #expect(tapCount == 8)
            #expect((Complex(Float(re[7]), Float(im[7])) - right[7] * 0.001).power < 1e-12)
        }
    }
}
