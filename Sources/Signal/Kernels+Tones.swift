import CKernels

/// Kernels for the search for tones, and for their phases (`tones.c`, `phases.c`).
extension Kernels {
    /// Computes out[i] = ln(share · max(sums[i], least)), then sums[i] += next[i] − last[i].
    ///
    /// - Parameter count: a multiple of 8.
    package static func slideLogarithms(
        _ sums: UnsafeMutablePointer<Float>, adding next: UnsafePointer<Float>,
        dropping last: UnsafePointer<Float>,
        share: Float, least: Float, _ count: Int, into out: UnsafeMutablePointer<Float>
    ) {
        require(count, multipleOf: 8)
        nbk_slide_logs(sums, next, last, share, least, out, count)
    }

    /// Computes the best of sums over values at offsets, `nbk_joint_sums` in `kernels.h`.
    ///
    /// - Parameters:
    ///   - isFirst: one value for each offset, not 0 where a sum begins.
    ///   - count: a multiple of 16.
    package static func jointSums(
        _ newest: UnsafePointer<Float>, offsets: UnsafeBufferPointer<Int>, isFirst: UnsafePointer<UInt8>,
        gain: Float,
        least: Float, best: UnsafeMutablePointer<Float>, which: UnsafeMutablePointer<Int32>, _ count: Int
    ) {
        require(count, multipleOf: 16)
        nbk_joint_sums(newest, offsets.baseAddress, isFirst, offsets.count, gain, least, best, which, count)
    }

    /// Computes powers[m] = |Σ_i z[i] turns[i]^m|²; z is left turned.
    ///
    /// - Parameter turns: one for each value of `z`.
    package static func turnedPowers(
        _ z: inout SplitComplex, by turns: SplitComplex, into powers: inout [Float]
    ) {
        let count = z.re.count
        require(count, multipleOf: 8)
        precondition(
            z.im.count == count && turns.re.count == count && turns.im.count == count,
            "as many turns as values")
        nbk_turned_powers(&z.re, &z.im, turns.re, turns.im, count, powers.count, &powers)
    }
}
