import Glibc
import Testing

@testable import Coding

/// Tests of each step of list decoding against its definition, at counts on both sides of the compiled
/// kernels' vectors.
@Suite struct PolarKernelsTests {
    private static let zero: UInt32 = 0
    private static let one: UInt32 = 0x8000_0000

    private func values(_ count: Int, seed: Int) -> [Float] {
        (0..<count).map { Float(($0 * 37 + seed * 101) % 64 - 31) / 4 + 0.125 }
    }

    private func f(_ a: Float, _ b: Float) -> Float {
        Float(2 * atanh(tanh(Double(a) / 2) * tanh(Double(b) / 2)))
    }

    private func cost(_ x: Float) -> Float { Float(log1p(exp(-Double(x)))) }

    @Test(arguments: [1, 2, 4, 8, 16, 64]) func steps(count: Int) {
        let (a, b) = (values(count, seed: 1), values(count, seed: 2))
        var out = [Float](repeating: 0, count: count)
        PolarKernels.f(a, b, into: &out, count)
        #expect(zip(out, zip(a, b)).allSatisfy { abs($0 - f($1.0, $1.1)) < 0.02 })
        let sums = (0..<count).map { $0 % 3 == 0 ? PolarKernelsTests.one : PolarKernelsTests.zero }
        PolarKernels.g(a, b, sums, into: &out, count)
        for i in 0..<count {
            let signed: Float = sums[i] == 0 ? a[i] : -a[i]
            #expect(out[i] == b[i] + signed)
        }
        let penalty = PolarKernels.frozen(a, b, into: &out, count)
        #expect(out == zip(a, b).map { $0 + $1 })
        let slack = 0.04 * Float(count)
        let frozen = zip(a, b).map { cost(f($0, $1)) }
        #expect(abs(penalty - frozen.reduce(0, +)) < slack)
        let penalties = PolarKernels.penalties(a, count)
        #expect(abs(penalties.zero - a.reduce(0) { $0 + cost($1) }) < slack)
        #expect(abs(penalties.one - a.reduce(0) { $0 + cost(-$1) }) < slack)
    }

    /// Eight at a time give the same as one at a time.
    @Test func eightAtATime() {
        let (a, b) = (values(64, seed: 1), values(64, seed: 2))
        var (all, each) = ([Float](repeating: 0, count: 64), [Float](repeating: 0, count: 64))
        PolarKernels.f(a, b, into: &all, 64)
        let penalty = PolarKernels.frozen(a, b, into: &each, 64)
        var sum: Float = 0
        for i in 0..<64 {
            var one: Float = 0
            PolarKernels.f([a[i]], [b[i]], into: &each[i], 1)
            sum += PolarKernels.frozen([a[i]], [b[i]], into: &one, 1)
        }
        #expect(zip(all, each).allSatisfy { abs($0 - $1) < 1e-5 })
        #expect(abs(penalty - sum) < 1e-3)
    }
}
