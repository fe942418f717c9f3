import CKernels
import Glibc

/// The loops that signals spend their time in. `KernelsTests` holds each to the plain loop.
///
/// Short ones are SIMD types, inlined: `a += b * c`, never `addProduct`, which without FMA in the target calls the C
/// library for every lane. Long ones are C, compiled for several instruction sets (`kernels.h`).
public enum Kernels {
    /// out[m] = Σ_k taps[k] x[20 m + k] turn[k mod 40], m < count. taps `[240]`, turn `[40]`.
    @inlinable public static func decimate(
        _ x: UnsafePointer<Float>, taps: UnsafePointer<Float>, turnRe: UnsafePointer<Float>,
        turnIm: UnsafePointer<Float>, _ count: Int, into out: UnsafeMutablePointer<Complex>
    ) {
        floats(out) { nbk_decimate(x, taps, turnRe, turnIm, count, $0) }
    }

    /// Magnitudes of samples whose squares, filtered, summed and squared again, floats still hold.
    public static let saneMagnitudes: ClosedRange<Float> = 0x1p-60...0x1p24

    /// The least power of sound: what has less is digital silence, as a quotient by it might not be finite. 300 dB under
    /// full scale.
    public static let leastPower: Float = 0x1p-100

    /// out[i] = x[i], or 0 where |x[i]| lies beyond the limits or is no number.
    @inlinable public static func copySane(
        _ x: UnsafePointer<Float>, _ count: Int, within limits: ClosedRange<Float> = saneMagnitudes,
        into out: UnsafeMutablePointer<Float>
    ) {
        nbk_copy_sane(x, count, limits.lowerBound, limits.upperBound, out)
    }

    /// max |x[i]|, 0 without any; NaN if one of them is.
    @inlinable public static func largestMagnitude(_ x: UnsafeBufferPointer<Float>) -> Float {
        guard let base = x.baseAddress else { return 0 }
        return Float(bitPattern: nbk_largest_magnitude(base, x.count))
    }

    /// z[i] *= e^{j (first + i · step)}, radians.
    public static func rotate(
        _ z: UnsafeMutablePointer<Complex>, _ count: Int, from first: Double, by step: Double
    ) {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 8) { turns in
            for lane in 0..<4 {
                turns[lane] = cos(first + Double(lane) * step)
                turns[4 + lane] = sin(first + Double(lane) * step)
            }
            floats(z) { nbk_rotate($0, count, turns.baseAddress!, cos(4 * step), sin(4 * step)) }
        }
    }

    /// z[i] *= phase · turns[i], `turns` in parts and to the end of a vector of four.
    @inlinable public static func turn(
        _ z: UnsafeMutablePointer<Complex>, _ count: Int, by phase: (re: Double, im: Double),
        turnsRe: UnsafePointer<Double>, turnsIm: UnsafePointer<Double>
    ) {
        floats(z) { nbk_turn($0, count, phase.re, phase.im, turnsRe, turnsIm) }
    }

    /// out[m] for m in `range`: samples read at `position + m · step`, `nbk_read_fractional` in `kernels.h`.
    @inlinable public static func readFractional(
        _ samples: UnsafePointer<Complex>, filters: UnsafePointer<Float>, position: Double, step: Double,
        _ range: Range<Int>, into out: UnsafeMutablePointer<Complex>
    ) {
        floats(samples) { samples in
            floats(out) {
                nbk_read_fractional(
                    samples, filters, position, step, range.lowerBound, range.upperBound, $0)
            }
        }
    }

    /// out[i] = a[i] b[i].
    @inlinable public static func multiply(
        _ a: UnsafePointer<Complex>, _ b: UnsafePointer<Complex>, _ count: Int,
        into out: UnsafeMutablePointer<Complex>
    ) {
        floats(a) { a in floats(b) { b in floats(out) { nbk_complex_multiply(a, b, $0, count) } } }
    }

    /// out[i] += a[i] b[i].
    @inlinable public static func multiplyAdd(
        _ a: UnsafePointer<Complex>, _ b: UnsafePointer<Complex>, _ count: Int,
        into out: UnsafeMutablePointer<Complex>
    ) {
        floats(a) { a in floats(b) { b in floats(out) { nbk_complex_multiply_add(a, b, $0, count) } } }
    }

    /// powers[i] = |z[i]|²; returns their sum.
    @inlinable public static func powers(
        _ z: UnsafePointer<Complex>, _ count: Int, into powers: UnsafeMutablePointer<Float>
    ) -> Float {
        floats(z) { nbk_powers($0, powers, count) }
    }

    /// x[i] = min(x[i] scale, ceiling).
    @inlinable public static func scale(
        _ x: UnsafeMutablePointer<Float>, by scale: Float, ceiling: Float, _ count: Int
    ) {
        nbk_scale_clip(x, scale, ceiling, count)
    }

    /// out[i] = e^min(x[i], greatest), to two units in the last place; under −87 as at −87.
    ///
    /// - Parameters:
    ///   - greatest: at most 88.
    ///   - count: a multiple of 8.
    @inlinable public static func exponentials(
        _ x: UnsafePointer<Float>, atMost greatest: Float, _ count: Int, into out: UnsafeMutablePointer<Float>
    ) {
        assert(count % 8 == 0, "a multiple of 8")
        assert(greatest <= 88, "beyond, no float has room")
        nbk_exps(x, greatest, out, count)
    }

    /// out[i] = ln(x[i] gain + least), to two units in the last place, of what is positive and not denormal.
    ///
    /// - Parameter count: a multiple of 8.
    @inlinable public static func logarithms(
        _ x: UnsafePointer<Float>, by gain: Float, plus least: Float, _ count: Int,
        into out: UnsafeMutablePointer<Float>
    ) {
        assert(count % 8 == 0, "a multiple of 8")
        nbk_logs(x, gain, least, out, count)
    }

    /// out[c · outStride + r] = rows[r · stride + c].
    @inlinable public static func transpose(
        _ rows: UnsafePointer<Float>, rowCount: Int, stride: Int, columns: Int,
        into out: UnsafeMutablePointer<Float>, outStride: Int
    ) {
        nbk_transpose(rows, stride, rowCount, columns, out, outStride)
    }

    /// out[i] = ln(share · max(sums[i], least)), then sums[i] += next[i] − last[i].
    ///
    /// - Parameter count: a multiple of 8.
    @inlinable public static func slideLogarithms(
        _ sums: UnsafeMutablePointer<Float>, adding next: UnsafePointer<Float>,
        dropping last: UnsafePointer<Float>,
        share: Float, least: Float, _ count: Int, into out: UnsafeMutablePointer<Float>
    ) {
        assert(count % 8 == 0, "a multiple of 8")
        nbk_slide_logs(sums, next, last, share, least, out, count)
    }

    /// The best of sums over what stands elsewhere, `nbk_joint_sums` in `kernels.h`.
    ///
    /// - Parameters:
    ///   - isFirst: as many as offsets, not 0 where a sum begins.
    ///   - count: a multiple of 16.
    @inlinable public static func jointSums(
        _ newest: UnsafePointer<Float>, offsets: UnsafeBufferPointer<Int>, isFirst: UnsafePointer<UInt8>,
        gain: Float,
        least: Float, best: UnsafeMutablePointer<Float>, which: UnsafeMutablePointer<Int32>, _ count: Int
    ) {
        assert(count % 16 == 0, "a multiple of 16")
        nbk_joint_sums(newest, offsets.baseAddress, isFirst, offsets.count, gain, least, best, which, count)
    }

    /// out[i] = Σ_r base[offsets[r] + i].
    @inlinable public static func sumRows(
        _ base: UnsafePointer<Float>, offsets: UnsafeBufferPointer<Int>, _ count: Int,
        into out: UnsafeMutablePointer<Float>
    ) {
        nbk_sum_rows(base, offsets.baseAddress, offsets.count, out, count)
    }

    /// The value at place `rank` of each of `columns` columns, were its rows sorted.
    ///
    /// - Parameters:
    ///   - rows: not negative, none NaN; row r begins at r · stride.
    ///   - columns: a multiple of 16.
    ///   - values: the nearer to what is sought, the sooner it is found. `[columns]`
    @inlinable public static func ranks(
        _ rows: UnsafePointer<Float>, rowCount: Int, stride: Int, columns: Int, rank: Int,
        into values: UnsafeMutablePointer<Float>
    ) {
        assert(columns % 16 == 0, "a multiple of 16")
        assert((0..<rowCount).contains(rank), "one of the rows")
        nbk_ranks(rows, rowCount, stride, columns, rank, values)
    }

    /// powers[m] = |Σ_i z[i] turns[i]^m|²; z is left turned.
    ///
    /// - Parameter turns: as many as `z` has.
    @inlinable public static func turnedPowers(
        _ z: inout SplitComplex, by turns: SplitComplex, into powers: inout [Float]
    ) {
        precondition(z.re.count == turns.re.count, "as many turns as values")
        assert(z.re.count % 8 == 0, "a multiple of 8")
        nbk_turned_powers(&z.re, &z.im, turns.re, turns.im, z.re.count, powers.count, &powers)
    }

    /// Σ_i table[places[i]], `count` of them.
    @inlinable public static func sum(
        of table: UnsafePointer<Float>, at places: UnsafePointer<UInt16>, _ count: Int
    ) -> Float {
        nbk_sum_at(table, places, count)
    }

    /// The least i in `range` with x[i] > threshold, or its end. The lower bound is not negative.
    @inlinable public static func firstAbove(
        _ threshold: Float, _ x: UnsafePointer<Float>, in range: Range<Int>
    ) -> Int {
        assert(range.lowerBound >= 0, "a place in x")
        return nbk_next_above(x, range.lowerBound, range.upperBound, threshold)
    }

    /// Every i < count with x[i] > threshold, in order, or, unless `all`, those that no neighbour exceeds. Returns how many.
    ///
    /// - Parameters:
    ///   - x: can be read from −1 to `count`, which is at most 65536.
    ///   - places: `[count + 1]`.
    @inlinable public static func peaksAbove(
        _ threshold: Float, _ x: UnsafePointer<Float>, _ count: Int, all: Bool,
        into places: UnsafeMutablePointer<UInt16>
    ) -> Int {
        assert((0...65536).contains(count), "places have 16 bits")
        return nbk_peaks_above(x, count, threshold, all ? 1 : 0, places)
    }

    /// What stands at `place` of `x`, were it sorted.
    ///
    /// - Parameters:
    ///   - x: not negative, a positive multiple of 16 of them.
    ///   - least: what is sought is not less than that; not negative.
    @inlinable public static func value(
        at place: Int, of x: UnsafePointer<Float>, _ count: Int, least: Float
    ) -> Float {
        assert(count > 0 && count % 16 == 0, "a positive multiple of 16")
        assert((0..<count).contains(place) && least >= 0, "one of the places, and no negative value")
        return nbk_value_at(x, count, place, least)
    }

    /// out[m] = Σ_k x[factor m + k] (tapsRe[k], tapsIm[k]).
    ///
    /// - Parameter taps: how many there are, a multiple of 16.
    @inlinable public static func downconvert(
        _ x: UnsafePointer<Float>, by factor: Int, tapsRe: UnsafePointer<Float>, tapsIm: UnsafePointer<Float>,
        _ taps: Int, into out: UnsafeMutablePointer<Complex>, _ count: Int
    ) {
        assert(taps % 16 == 0, "a multiple of 16")
        floats(out) { nbk_downconvert(x, factor, tapsRe, tapsIm, taps, $0, count) }
    }

    /// How many of `gain x[i]` are less than a bound.
    ///
    /// - Parameter count: a multiple of 16.
    @inlinable public static func count(
        _ x: UnsafePointer<Float>, _ count: Int, by gain: Float, below bound: Float
    ) -> Int {
        assert(count % 16 == 0, "a multiple of 16")
        return nbk_count_below(x, count, gain, bound)
    }

    /// The greatest value; `count` a positive multiple of 8.
    @inlinable public static func maximum(_ x: UnsafePointer<Float>, _ count: Int) -> Float {
        assert(count > 0 && count % 8 == 0, "a positive multiple of 8")
        return nbk_maximum(x, count)
    }

    /// Σ |values[offset]|².
    @inlinable public static func gatheredPower(
        _ values: UnsafePointer<Complex>, offsets: UnsafePointer<Int>, _ count: Int
    ) -> Float {
        floats(values) { nbk_gathered_power($0, offsets, count) }
    }

    /// The first place of the greatest value; `count` a positive multiple of 8.
    @inlinable public static func indexOfMaximum(_ x: UnsafePointer<Float>, _ count: Int) -> Int {
        assert(count > 0 && count % 8 == 0, "a positive multiple of 8")
        return nbk_index_of_maximum(x, count)
    }

    /// Values by their place in blocks of sixteen, parts apart: `nbk_polyphase` in `kernels.h`.
    @inlinable public static func polyphase(
        _ z: UnsafePointer<Complex>, columns: Int, re: UnsafeMutablePointer<Float>,
        im: UnsafeMutablePointer<Float>, stride: Int
    ) {
        floats(z) { nbk_polyphase($0, columns, re, im, stride) }
    }

    /// Turned products of two stretches of such values, by blocks: `nbk_block_products` in `kernels.h`.
    @inlinable public static func blockProducts(
        re: UnsafePointer<Float>, im: UnsafePointer<Float>, stride: Int, _ a: Int, _ b: Int, turn: Complex,
        blocks: Int, intoRe productRe: UnsafeMutablePointer<Float>,
        im productIm: UnsafeMutablePointer<Float>
    ) {
        assert(blocks % 8 == 0, "a multiple of 8")
        withUnsafePointer(to: turn) {
            floats($0) { nbk_block_products(re, im, stride, a, b, $0, blocks, productRe, productIm) }
        }
    }

    /// Energies of a stretch of such values, by blocks, are added: `nbk_block_energies` in `kernels.h`.
    @inlinable public static func blockEnergies(
        re: UnsafePointer<Float>, im: UnsafePointer<Float>, stride: Int, _ a: Int, blocks: Int,
        into energies: UnsafeMutablePointer<Float>
    ) {
        nbk_block_energies(re, im, stride, a, blocks, energies)
    }

    /// peaks[j], places[j]: the greatest of exponential tails at sixteen Dopplers, `nbk_doppler_tails` in `kernels.h`.
    @inlinable public static func dopplerTails(
        re: UnsafePointer<Float>, im: UnsafePointer<Float>, stride: Int, blocks: Int, pairs: Int,
        turns: UnsafePointer<Float>, decay: Float, least: UnsafePointer<Float>,
        into peaks: UnsafeMutablePointer<Float>, places: UnsafeMutablePointer<UInt8>
    ) {
        nbk_doppler_tails(re, im, stride, blocks, pairs, turns, decay, least, peaks, places)
    }

    /// The greatest of exponential tails over unit-mean powers, if over `peak`: `nbk_tail_peak` in `kernels.h`.
    @inlinable public static func tailPeak(
        _ x: UnsafePointer<Float>, rows: Int, stride: Int, width: Int, decay: Float, gain: Float,
        over peak: Float
    ) -> (value: Float, row: Int, column: Int)? {
        var (value, row, column) = (peak, 0, 0)
        assert(width % 8 == 0, "a multiple of 8")
        let found = nbk_tail_peak(x, rows, stride, width, decay, gain, &value, &row, &column)
        return found == 0 ? nil : (value, row, column)
    }

    /// Takes what known chips leave at each tap out of all others' sight: `nbk_take_out` in `kernels.h`.
    @inlinable public static func takeOut(
        known: UnsafePointer<Float>, _ count: Int, takenRe: UnsafePointer<Float>,
        takenIm: UnsafePointer<Float>, tapCount: Int, from re: UnsafeMutablePointer<Float>,
        _ im: UnsafeMutablePointer<Float>
    ) {
        assert(tapCount % 16 == 0, "a multiple of 16")
        nbk_take_out(known, count, takenRe, takenIm, tapCount, re, im)
    }

    /// One direction of a RAKE: `nbk_rake` in `kernels.h`.
    @inlinable public static func rake(
        _ re: UnsafePointer<Float>, _ im: UnsafePointer<Float>, known: UnsafePointer<Float>,
        energy: UnsafePointer<Float>, loads: UnsafePointer<Float>, takenRe: UnsafePointer<Float>,
        takenIm: UnsafePointer<Float>, tapCount: Int, _ count: Int, isBackward: Bool, decay: Float,
        into soft: UnsafeMutablePointer<Float>
    ) {
        assert(tapCount % 8 == 0 && tapCount <= 128, "a multiple of 8 that the kernel has room for")
        nbk_rake(
            re, im, known, energy, loads, takenRe, takenIm, tapCount, count, isBackward ? 1 : 0, decay, soft)
    }

    /// Complex values as the pairs of floats that C sees.
    @inlinable public static func floats<Result>(
        _ z: UnsafePointer<Complex>, _ body: (UnsafePointer<Float>) -> Result
    ) -> Result {
        body(UnsafeRawPointer(z).assumingMemoryBound(to: Float.self))
    }

    @inlinable public static func floats<Result>(
        _ z: UnsafeMutablePointer<Complex>, _ body: (UnsafeMutablePointer<Float>) -> Result
    ) -> Result {
        body(UnsafeMutableRawPointer(z).assumingMemoryBound(to: Float.self))
    }

    /// Σ x[i].
    @inlinable public static func sum(_ x: UnsafePointer<Float>, _ count: Int) -> Float {
        var total = SIMD8<Float>(repeating: 0)
        var i = 0
        while i + 8 <= count {
            total += UnsafeRawPointer(x + i).loadUnaligned(as: SIMD8<Float>.self)
            i += 8
        }
        var sum = total.sum()
        while i < count {
            sum += x[i]
            i += 1
        }
        return sum
    }

    /// out[r] = Σ_k rows[r][k] x[k], k < 64.
    @inlinable public static func dotRows(
        _ rows: UnsafePointer<Float>, count: Int, _ x: UnsafePointer<Float>,
        into out: UnsafeMutablePointer<Float>
    ) {
        nbk_dot_rows(rows, count, x, out)
    }

    /// Σ x[i] y[i].
    @inlinable public static func dot(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int)
        -> Float
    {
        nbk_dot(x, y, count)
    }

    /// Σ Re a[i] b[i]*.
    @inlinable public static func innerProduct(
        _ a: UnsafePointer<Complex>, _ b: UnsafePointer<Complex>, _ count: Int
    ) -> Float {
        floats(a) { a in floats(b) { b in nbk_dot(a, b, 2 * count) } }
    }

    /// Σ |z[i]|².
    @inlinable public static func energy(_ z: ArraySlice<Complex>) -> Float {
        z.withUnsafeBufferPointer {
            $0.isEmpty ? 0 : innerProduct($0.baseAddress!, $0.baseAddress!, $0.count)
        }
    }
}
