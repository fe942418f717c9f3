import CKernels
import Glibc

/// An ``FFT`` without FFTW, for users to whom its GPL matters: passes of radix 4, then of the remaining prime
/// factors, from one place to the other and back (Stockham's order, so that nothing is shuffled).
///
/// Its error is within 2 · 10⁻⁶ of the greatest value of FFTW's result (`MixedRadixTransformTests`).
/// Complexity: O(n Σ p) for n's prime factors p.
/// Reference: Van Loan, 1992, "Computational Frameworks for the Fast Fourier Transform", section 1.7.
final class MixedRadixTransform: Sendable {
    private struct Pass: Sendable {
        let radix: Int
        let blocks: Int
        let width: Int
        /// `[radix − 1][blocks]`
        let turns: [Complex]
        /// `[radix]`
        let roots: [Complex]
    }

    private let count: Int
    private let passes: [Pass]

    init(count: Int) {
        self.count = count
        var (passes, width) = ([Pass](), 1)
        for radix in MixedRadixTransform.radices(of: count) {
            let blocks = count / width / radix
            passes.append(
                Pass(
                    radix: radix, blocks: blocks, width: width,
                    turns: (1..<radix).flatMap { r in
                        (0..<blocks).map { MixedRadixTransform.root(r * $0, of: radix * blocks) }
                    },
                    roots: (0..<radix).map { MixedRadixTransform.root($0, of: radix) }))
            width *= radix
        }
        self.passes = passes
    }

    /// The fours come first: their rows are whole vectors from the second pass on.
    private static func radices(of count: Int) -> [Int] {
        var (radices, rest, factor) = ([Int](), count, 2)
        while rest % 4 == 0 {
            radices.append(4)
            rest /= 4
        }
        while rest > 1 {
            if factor * factor > rest { factor = max(factor, rest) }
            if rest % factor == 0 {
                radices.append(factor)
                rest /= factor
            } else {
                factor += 1
            }
        }
        return radices
    }

    /// Returns e^{j 2π k / n}.
    private static func root(_ k: Int, of n: Int) -> Complex {
        let angle = 2 * Double.pi * Double(k % n) / Double(n)
        return Complex(Float(cos(angle)), Float(sin(angle)))
    }

    /// Transforms from `here` to `there`, which may not overlap, and leaves arbitrary values in `here`.
    func execute(
        _ direction: TransformDirection, _ here: UnsafeMutablePointer<Complex>,
        into there: UnsafeMutablePointer<Complex>
    ) {
        var (from, to) = (here, there)
        for pass in passes {
            run(pass, direction == .forward ? -1 : 1, from, to)
            swap(&from, &to)
        }
        if from != there { there.copy(from: from, count: count) }
    }

    func execute(_ direction: TransformDirection, _ x: UnsafeMutablePointer<Complex>) {
        withUnsafeTemporaryAllocation(of: Complex.self, capacity: count) { room in
            guard let other = room.baseAddress else { return }
            var (from, to) = (x, other)
            for pass in passes {
                run(pass, direction == .forward ? -1 : 1, from, to)
                swap(&from, &to)
            }
            if from != x { x.copy(from: from, count: count) }
        }
    }

    private func run(
        _ pass: Pass, _ sign: Float, _ from: UnsafeMutablePointer<Complex>,
        _ to: UnsafeMutablePointer<Complex>
    ) {
        let x = UnsafeRawPointer(from).assumingMemoryBound(to: Float.self)
        let out = UnsafeMutableRawPointer(to).assumingMemoryBound(to: Float.self)
        pass.turns.withUnsafeBytes { turns in
            let turns = turns.assumingMemoryBound(to: Float.self).baseAddress!
            switch (pass.radix, pass.width) {
            case (4, 1) where pass.blocks % 4 == 0: nbk_fourier_first4(x, turns, pass.blocks, sign, out)
            case (4, 4...): nbk_fourier_pass4(x, turns, pass.blocks, pass.width, sign, out)
            case (2, _): nbk_fourier_pass2(x, turns, pass.blocks, pass.width, sign, out)
            default:
                pass.roots.withUnsafeBytes { roots in
                    nbk_fourier_pass(
                        x, turns, roots.assumingMemoryBound(to: Float.self).baseAddress!, pass.radix,
                        pass.blocks, pass.width, sign, out)
                }
            }
        }
    }
}
