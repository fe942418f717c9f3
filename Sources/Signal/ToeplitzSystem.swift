import CKernels
import Glibc

/// The linear system of a least-squares filter: `R x = b` with `R[i, j] = r[i − j]`, `r[−k] = r[k]*`.
///
/// It is solved by Levinson's recursion in n² steps (Golub, Van Loan, *Matrix Computations*, §4.7), which
/// solves the systems of all fewer taps on its way. The matrix must be positive definite, as autocorrelations
/// are. Double precision: the condition of a filter for narrow sound is bad.
package struct ToeplitzSystem {
    /// Complex numbers in split arrays.
    private typealias Split = (re: UnsafeMutablePointer<Double>, im: UnsafeMutablePointer<Double>)

    /// The number of taps beyond the best so far after which no better filter is expected.
    private static let patience = 96

    private let count: Int
    /// The solution, that with the best number of taps, and the predictor with room for the next one.
    private let x: Split
    private let best: Split
    private var predictor: Split
    private var next: Split
    /// r backwards, so that every sum runs forwards through both of its factors.
    private let backwards: Split

    private init(count: Int, storage: UnsafeMutablePointer<Double>) {
        func split(_ place: Int) -> Split { (storage + 2 * place * count, storage + (2 * place + 1) * count) }
        self.count = count
        (x, best, predictor, next, backwards) = (split(0), split(1), split(2), split(3), split(4))
    }

    /// Calls `body` with the taps of the best filter, `[tapCount]`, valid within the call.
    ///
    /// More taps always leave less of a sound. As many are taken as leave least of other sound of the same
    /// kind by Akaike's criterion: each must lower the logarithm of what is left by 2 / `sampleCount`.
    ///
    /// - Parameters:
    ///   - column: r[0], r[1], …, `[count]`; r[0] is real and positive.
    ///   - right: b, `[count]`.
    ///   - energy: the energy of the sound that the filter is to explain.
    ///   - sampleCount: the number of samples of that sound.
    package static func withBestFilter<Result>(
        column: [Complex], right: [Complex], energy: Double, sampleCount: Int,
        _ body: (_ re: UnsafePointer<Double>, _ im: UnsafePointer<Double>, _ tapCount: Int) -> Result
    ) -> Result {
        let count = column.count
        precondition(count > 0 && right.count == count, "a square system")
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: 10 * count) { memory in
            var system = ToeplitzSystem(count: count, storage: memory.baseAddress!)
            let tapCount = system.solve(column, right, energy: energy, sampleCount: sampleCount)
            return body(system.best.re, system.best.im, tapCount)
        }
    }

    /// Returns the number of taps in ``best``.
    private mutating func solve(
        _ column: [Complex], _ right: [Complex], energy: Double, sampleCount: Int
    ) -> Int {
        for i in 0..<count {
            backwards.re[count - 1 - i] = Double(column[i].re)
            backwards.im[count - 1 - i] = i == 0 ? 0 : Double(column[i].im)
        }
        (predictor.re[0], predictor.im[0]) = (1, 0)
        var (error, left) = (Double(column[0].re), energy)
        var (least, tapCount, isKept) = (Double.infinity, 0, true)
        for m in 0..<count {
            let sums = sums(m)
            if m > 0 { error *= 1 - extendPredictor(m, by: (-sums.a.re / error, -sums.a.im / error)) }
            let rest = (re: Double(right[m].re) - sums.x.re, im: Double(right[m].im) - sums.x.im)
            left -= (rest.re * rest.re + rest.im * rest.im) / error
            let criterion = log(max(left, 1e-9 * energy)) + 2 * Double(m + 1) / Double(sampleCount)
            if criterion < least {
                (least, tapCount, isKept) = (criterion, m + 1, false)
            } else {
                if !isKept { keep(tapCount) }
                isKept = true
                if m + 1 - tapCount > ToeplitzSystem.patience { break }
            }
            (x.re[m], x.im[m]) = (0, 0)
            nbk_split_add_mirrored(
                predictor.re, predictor.im, rest.re / error, rest.im / error, m + 1, x.re, x.im)
        }
        if !isKept { keep(tapCount) }
        return tapCount
    }

    private func keep(_ tapCount: Int) {
        best.re.update(from: x.re, count: tapCount)
        best.im.update(from: x.im, count: tapCount)
    }

    /// Returns the sums of the first m numbers of the solution and of the predictor with r[m], …, r[1].
    private func sums(_ m: Int) -> (x: (re: Double, im: Double), a: (re: Double, im: Double)) {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 4) {
            let sums = $0.baseAddress!
            nbk_split_sums(
                x.re, x.im, predictor.re, predictor.im, backwards.re + (count - 1 - m),
                backwards.im + (count - 1 - m), m, sums)
            return ((sums[0], sums[1]), (sums[2], sums[3]))
        }
    }

    /// Makes the predictor of order m from that of order m − 1: a[i] + k a[m − i]*. Returns |k|².
    private mutating func extendPredictor(_ m: Int, by k: (re: Double, im: Double)) -> Double {
        (predictor.re[m], predictor.im[m]) = (0, 0)
        next.re.update(from: predictor.re, count: m + 1)
        next.im.update(from: predictor.im, count: m + 1)
        nbk_split_add_mirrored(predictor.re, predictor.im, k.re, k.im, m + 1, next.re, next.im)
        swap(&predictor, &next)
        return k.re * k.re + k.im * k.im
    }
}
