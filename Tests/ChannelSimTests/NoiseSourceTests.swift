import ChannelSim
import Glibc
import Signal
import Testing

/// Tests whose bounds are five standard errors of each estimate over four million samples.
@Suite struct NoiseSourceTests {
    static let samples: [Float] = {
        var noise = NoiseSource(seed: 11)
        return noise.samples(4_000_000, sigma: 1)
    }()

    @Test(arguments: [(1, 0.0, 1.0), (2, 1, 2), (3, 0, 15), (4, 3, 96), (6, 15, 10_170)])
    func momentsAreGaussian(order: Int, expected: Double, variance: Double) {
        let mean = NoiseSourceTests.samples.reduce(0.0) { $0 + pow(Double($1), Double(order)) } / 4e6
        #expect(abs(mean - expected) < 5 * (variance / 4e6).squareRoot())
    }

    /// The share beyond each limit is that of the normal distribution, on both sides, out to 4.5 σ.
    @Test(arguments: [0.0, 0.2, 0.7, 1, 1.7, 2.5, 3, 3.6, 3.7, 4, 4.5]) func tailsAreGaussian(limit: Double) {
        let share = erfc(limit / 2.0.squareRoot()) / 2
        let spread = 5 * (share / 4e6).squareRoot()
        let above = NoiseSourceTests.samples.count { $0 > Float(limit) }
        let below = NoiseSourceTests.samples.count { $0 < -Float(limit) }
        #expect(abs(Double(above) / 4e6 - share) < spread)
        #expect(abs(Double(below) / 4e6 - share) < spread)
    }

    /// The mean power of each of 32 bands of the spectrum is 1 a bin, ± five standard errors of 60 000 bins.
    @Test func spectrumIsFlat() {
        let fft = FFT(count: 1024)
        var bands = [Double](repeating: 0, count: 32)
        let blocks = 3900
        for block in 0..<blocks {
            var bins = NoiseSourceTests.samples[(1024 * block)...].prefix(1024).map { Complex($0) }
            fft.forward(&bins)
            for k in 1..<512 { bands[k / 16] += Double(bins[k].power) / 1024 }
        }
        for (index, power) in bands.enumerated() {
            let bins = Double(blocks * (index == 0 ? 15 : 16))
            #expect(abs(power / bins - 1) < 5 / bins.squareRoot(), "band \(index)")
        }
    }

    @Test func sameSeedSameNoise() {
        var a = NoiseSource(seed: 3)
        var b = NoiseSource(seed: 3)
        var c = NoiseSource(seed: 4)
        let samples = a.samples(1000, sigma: 2)
        var added = [Float](repeating: 0, count: 1000)
        b.add(to: &added, sigma: 2)
        #expect(samples == added)
        #expect(samples != c.samples(1000, sigma: 2))
    }

    /// Any chunking gives the same stream, so that a long recording can be made piece by piece.
    @Test func chunksDoNotMatter() {
        var whole = NoiseSource(seed: 5)
        var parts = NoiseSource(seed: 5)
        let pieces = parts.samples(17, sigma: 1) + [parts.next()] + parts.samples(982, sigma: 1)
        #expect(whole.samples(1000, sigma: 1) == pieces)
    }
}
