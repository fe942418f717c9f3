import Testing

@testable import Coding

/// Each step of list decoding against its definition, at counts on both sides of the compiled kernels' vectors.
@Suite struct PolarKernelsTests {
    private static let zero: UInt32 = 0
    private static let one: UInt32 = 0x8000_0000

    private func values(_ count: Int, seed: Int) -> [Float] {
        (0..<count).map { Float(($0 * 37 + seed * 101) % 64 - 31) / 4 + 0.125 }
    }

    private func f(_ a: Float, _ b: Float) -> Float {
        (a < 0) == (b < 0) ? min(a.magnitude, b.magnitude) : -min(a.magnitude, b.magnitude)
    }

    @Test(arguments: [1, 2, 4, 8, 16, 64]) func steps(count: Int) {
        let (a, b) = (values(count, seed: 1), values(count, seed: 2))
        var out = [Float](repeating: 0, count: count)
        PolarKernels.f(a, b, into: &out, count)
        #expect(out == zip(a, b).map { f($0, $1) })
        let sums = (0..<count).map { $0 % 3 == 0 ? PolarKernelsTests.one : PolarKernelsTests.zero }
        PolarKernels.g(a, b, sums, into: &out, count)
        #expect(out == (0..<count).map { b[$0] + (sums[$0] == 0 ? a[$0] : -a[$0]) })
        let penalty = PolarKernels.frozen(a, b, into: &out, count)
        #expect(out == zip(a, b).map { $0 + $1 })
        #expect(abs(penalty - zip(a, b).reduce(0) { $0 + max(0, -f($1.0, $1.1)) }) < 1e-3)
        let penalties = PolarKernels.penalties(a, count)
        #expect(abs(penalties.zero - a.reduce(0) { $0 + max(0, -$1) }) < 1e-3)
        #expect(abs(penalties.one - a.reduce(0) { $0 + max(0, $1) }) < 1e-3)
    }
}
