import Signal
import Testing

/// Each kernel against the plain loop, at lengths about the vector's.
@Suite struct KernelsTests {
    @Test(arguments: [0, 1, 7, 8, 9, 64, 101]) func matchThePlainLoop(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let x = (0..<count).map { _ in Float(random.nextUnit()) - 0.5 }
        let y = (0..<count).map { _ in Float(random.nextUnit()) - 0.5 }
        #expect(abs(Kernels.sum(x, count) - x.reduce(0, +)) < 1e-4)
        #expect(abs(Kernels.dot(x, y, count) - zip(x, y).reduce(0) { $0 + $1.0 * $1.1 }) < 1e-4)
        var total = y
        Kernels.add(x, to: &total, count)
        #expect(total == zip(x, y).map { $1 + $0 })
    }
}
