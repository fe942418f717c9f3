import Glibc
import Testing

@testable import AcousticModem

@Suite struct TailProbabilityTests {
    /// Returns the sum of `shape` exponentials, term by term.
    private static func exactNats(_ x: Double, shape: Int) -> Double {
        var (term, sum) = (1.0, 1.0)
        for i in 1..<shape {
            term *= x / Double(i)
            sum += term
        }
        return x - log(sum)
    }

    @Test(arguments: [1, 2, 3, 4]) func smallShapesAreExact(shape: Int) {
        for x in stride(from: Float(0), through: 40, by: 0.5) {
            let nats = TailProbability.gammaNats(x, shape: shape)
            #expect(abs(Double(nats) - Self.exactNats(Double(x), shape: shape)) < 1e-4)
        }
    }

    /// The kernel equals its formula, which is accurate to a third of a nat where gates open, and is 0 under
    /// the mean.
    @Test(arguments: [9, 18, 54, 72]) func largeShapesAreNear(shape: Int) {
        let n = Float(shape)
        let x = (0..<64).map { n * Float($0) / 24 }
        var nats = x
        TailProbability.wideGammaNats(x, shape: shape, x.count, into: &nats)
        for (x, nats) in zip(x, nats) {
            let z = 3 * n.squareRoot() * (cbrtf(x / n) - 1 + 1 / (9 * n))
            #expect(abs(nats - (z > 0 ? 0.5 * z * z + log(2.5066 * (z + 1)) : 0)) < 2e-4 * max(1, nats))
            guard z > 1.5, z < 6 else { continue }
            #expect(abs(Double(nats) - Self.exactNats(Double(x), shape: shape)) < 0.33)
        }
    }

    /// The nats of any statistic are finite and not negative.
    @Test func anythingHasNats() {
        let x: [Float] = [.nan, .infinity, -.infinity, -1, 0, .leastNonzeroMagnitude, 1e30, 1e-30]
        var nats = x
        TailProbability.wideGammaNats(x, shape: 18, x.count, into: &nats)
        #expect(nats.allSatisfy { $0.isFinite && $0 >= 0 })
        #expect(nats[2...5].allSatisfy { $0 == 0 })
    }
}
