import Signal
import Testing

@Suite struct FFTTests {
    /// The transform equals the defining sum; the tolerance is 1e-4 of the largest bin.
    @Test(arguments: [8, 12, 512]) func matchesTheDefinition(count: Int) {
        var generator = SplitMix64(seed: UInt64(count))
        let x = (0..<count).map { _ in
            Complex(Float(generator.nextUnit()) - 0.5, Float(generator.nextUnit()) - 0.5)
        }
        var y = x
        FFT(count: count).forward(&y)
        for k in [0, 1, count / 2, count - 1] {
            var sum = (re: 0.0, im: 0.0)
            for n in 0..<count {
                let angle = -2 * Double.pi * Double(k * n % count) / Double(count)
                let (c, s) = (cosine(angle), cosine(angle - .pi / 2))
                sum.re += Double(x[n].re) * c - Double(x[n].im) * s
                sum.im += Double(x[n].re) * s + Double(x[n].im) * c
            }
            #expect(abs(Double(y[k].re) - sum.re) < 1e-4 * Double(count))
            #expect(abs(Double(y[k].im) - sum.im) < 1e-4 * Double(count))
        }
    }

    @Test func inverseUndoesForward() {
        let fft = FFT(count: 64)
        let x = (0..<64).map { Complex(Float($0), Float(-$0)) }
        var y = x
        fft.forward(&y)
        fft.inverse(&y)
        for (a, b) in zip(x, y) { #expect((a * 64 - b).power < 1e-3) }
        // The data go from one place to another, with and without the library's preferred alignment.
        var places = ScratchBuffer(count: 200, repeating: Complex.zero)
        for offset in [0, 1] {
            let (from, to) = (places.claim() + offset, places.claim() + offset + 100 + offset * 3)
            for i in 0..<64 { from[i] = x[i] }
            fft.forward(from, into: to)
            fft.inverse(to, into: from)
            for i in 0..<64 { #expect((x[i] * 64 - from[i]).power < 1e-3) }
        }
    }
}

/// Returns the cosine by a Taylor series after range reduction, independently of the library's.
private func cosine(_ x: Double) -> Double {
    var r = x - (x / (2 * Double.pi)).rounded() * 2 * Double.pi
    r *= r
    var sum = 1.0
    for n in (1...14).reversed() { sum = 1 - r / Double((2 * n - 1) * (2 * n)) * sum }
    return sum
}
