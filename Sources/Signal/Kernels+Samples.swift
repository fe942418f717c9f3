import CKernels
import Glibc

/// Kernels for samples: they decimate, turn, interpolate, multiply and add up (`samples.c`).
extension Kernels {
    /// Computes out[m] = Σ_k taps[k] x[20 m + k] turn[k mod 40], m < count.
    ///
    /// - Parameters:
    ///   - x: `[20 (count − 1) + 240]`
    ///   - taps: `[240]`, and `turnRe`, `turnIm` `[40]`.
    package static func decimate(
        _ x: UnsafePointer<Float>, taps: UnsafePointer<Float>, turnRe: UnsafePointer<Float>,
        turnIm: UnsafePointer<Float>, _ count: Int, into out: UnsafeMutablePointer<Complex>
    ) {
        require(count)
        floats(out) { nbk_decimate(x, taps, turnRe, turnIm, count, $0) }
    }

    /// Computes out[m] = Σ_k x[factor m + k] (tapsRe[k], tapsIm[k]), m < count.
    ///
    /// - Parameter taps: the number of taps, a multiple of 16.
    package static func downconvert(
        _ x: UnsafePointer<Float>, by factor: Int, tapsRe: UnsafePointer<Float>, tapsIm: UnsafePointer<Float>,
        _ taps: Int, into out: UnsafeMutablePointer<Complex>, _ count: Int
    ) {
        require(taps, multipleOf: 16)
        require(count)
        require(factor)
        floats(out) { nbk_downconvert(x, factor, tapsRe, tapsIm, taps, $0, count) }
    }

    /// The magnitudes of samples whose squares, filtered, summed and squared again, still fit floats.
    package static let saneMagnitudes: ClosedRange<Float> = 0x1p-60...0x1p24

    /// The least power of sound: lower power counts as digital silence, since a quotient by it might not be
    /// finite. 300 dB under full scale.
    package static let leastPower: Float = 0x1p-100

    /// Copies x[i] to out[i], or 0 where |x[i]| lies beyond the limits or x[i] is NaN.
    package static func copySane(
        _ x: UnsafePointer<Float>, _ count: Int, within limits: ClosedRange<Float> = saneMagnitudes,
        into out: UnsafeMutablePointer<Float>
    ) {
        require(count)
        nbk_copy_sane(x, count, limits.lowerBound, limits.upperBound, out)
    }

    /// Computes out[i] = ⌊32767 min(max(x[i] · gain, −1), 1) + ½⌋; −32767 for NaN.
    package static func quantize(
        _ x: UnsafePointer<Float>, by gain: Float, _ count: Int, into out: UnsafeMutablePointer<Int16>
    ) {
        require(count)
        nbk_quantize(x, gain, out, count)
    }

    /// Returns max |x[i]|, 0 without any; NaN if one of them is.
    package static func largestMagnitude(_ x: UnsafeBufferPointer<Float>) -> Float {
        guard let base = x.baseAddress else { return 0 }
        return Float(bitPattern: nbk_largest_magnitude(base, x.count))
    }

    /// Computes z[i] *= e^{j (first + i · step)}, radians.
    package static func rotate(
        _ z: UnsafeMutablePointer<Complex>, _ count: Int, from first: Double, by step: Double
    ) {
        require(count)
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 8) { turns in
            for lane in 0..<4 {
                turns[lane] = cos(first + Double(lane) * step)
                turns[4 + lane] = sin(first + Double(lane) * step)
            }
            floats(z) { nbk_rotate($0, count, turns.baseAddress!, cos(4 * step), sin(4 * step)) }
        }
    }

    /// Computes z[i] *= phase · turns[i].
    ///
    /// - Parameters:
    ///   - turnsRe: `[count]`, filled to a multiple of four.
    ///   - turnsIm: as `turnsRe`.
    package static func turn(
        _ z: UnsafeMutablePointer<Complex>, _ count: Int, by phase: (re: Double, im: Double),
        turnsRe: UnsafePointer<Double>, turnsIm: UnsafePointer<Double>
    ) {
        require(count)
        floats(z) { nbk_turn($0, count, phase.re, phase.im, turnsRe, turnsIm) }
    }

    /// Computes out[m] for m in `range`: `samples` read at `position + m · step`, `nbk_read_fractional` in
    /// `kernels.h`.
    ///
    /// - Parameters:
    ///   - samples: `[sampleCount]`; each place read lies at least five samples after the first and seven
    ///     before the end.
    ///   - filters: `[32][24]`
    package static func readFractional(
        _ samples: UnsafePointer<Complex>, _ sampleCount: Int, filters: UnsafePointer<Float>,
        position: Double,
        step: Double, _ range: Range<Int>, into out: UnsafeMutablePointer<Complex>
    ) {
        guard let last = range.last else { return }
        let (first, end) = (position + Double(range.lowerBound) * step, position + Double(last) * step)
        precondition(
            range.lowerBound >= 0 && min(first, end) >= 5 && max(first, end) < Double(sampleCount - 7),
            "places within the samples")
        floats(samples) { samples in
            floats(out) {
                nbk_read_fractional(
                    samples, filters, position, step, range.lowerBound, range.upperBound, $0)
            }
        }
    }

    /// Computes out[i] = a[i] b[i]. `out` overlaps neither of them.
    package static func multiply(
        _ a: UnsafePointer<Complex>, _ b: UnsafePointer<Complex>, _ count: Int,
        into out: UnsafeMutablePointer<Complex>
    ) {
        require(count)
        precondition(areApart(a, out, count) && areApart(b, out, count), "places of their own")
        floats(a) { a in floats(b) { b in floats(out) { nbk_complex_multiply(a, b, $0, count) } } }
    }

    /// Computes out[i] += a[i] b[i]. `out` overlaps neither of them.
    package static func multiplyAdd(
        _ a: UnsafePointer<Complex>, _ b: UnsafePointer<Complex>, _ count: Int,
        into out: UnsafeMutablePointer<Complex>
    ) {
        require(count)
        precondition(areApart(a, out, count) && areApart(b, out, count), "places of their own")
        floats(a) { a in floats(b) { b in floats(out) { nbk_complex_multiply_add(a, b, $0, count) } } }
    }

    /// Computes out[i] = z[i] gains[i]. `out` does not overlap the others.
    package static func scale(
        _ z: UnsafePointer<Complex>, by gains: UnsafePointer<Float>, _ count: Int,
        into out: UnsafeMutablePointer<Complex>
    ) {
        require(count)
        precondition(areApart(z, out, count), "places of their own")
        floats(z) { z in floats(out) { nbk_complex_scale(z, gains, $0, count) } }
    }

    /// Computes x[i] += y[i], which stand elsewhere.
    package static func add(_ y: UnsafePointer<Float>, _ count: Int, to x: UnsafeMutablePointer<Float>) {
        require(count)
        precondition(areApart(y, x, count), "places of their own")
        nbk_add(x, y, count)
    }

    /// Computes x[i] −= y[i], which stand elsewhere.
    package static func subtract(
        _ y: UnsafePointer<Complex>, _ count: Int, from x: UnsafeMutablePointer<Complex>
    ) {
        require(count)
        precondition(areApart(y, x, count), "places of their own")
        floats(x) { x in floats(y) { nbk_subtract(x, $0, 2 * count) } }
    }

    /// Computes powers[i] = |z[i]|². Returns their sum.
    package static func powers(
        _ z: UnsafePointer<Complex>, _ count: Int, into powers: UnsafeMutablePointer<Float>
    ) -> Float {
        require(count)
        return floats(z) { nbk_powers($0, powers, count) }
    }

    /// Returns Σ |z[i]|².
    package static func energy(_ z: ArraySlice<Complex>) -> Float {
        z.withUnsafeBufferPointer {
            $0.isEmpty ? 0 : innerProduct($0.baseAddress!, $0.baseAddress!, $0.count)
        }
    }

    /// Computes the power of each of some blocks: powers[b] = Σ |z[b][i]|². z `[count][blockCount]`
    package static func blockPowers(
        _ z: UnsafePointer<Complex>, _ blockCount: Int, _ count: Int, into powers: UnsafeMutablePointer<Float>
    ) {
        require(count)
        require(blockCount)
        floats(z) { nbk_row_energies($0, 2 * blockCount, count, powers) }
    }

    /// Returns Σ Re a[i] b[i]*.
    package static func innerProduct(
        _ a: UnsafePointer<Complex>, _ b: UnsafePointer<Complex>, _ count: Int
    ) -> Float {
        floats(a) { a in floats(b) { b in dot(a, b, 2 * count) } }
    }

    /// Returns Σ x[i] y[i].
    package static func dot(
        _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int
    ) -> Float {
        require(count)
        return nbk_dot(x, y, count)
    }

    /// Computes out[r] = Σ_k rows[r][k] x[k], k < 64.
    package static func dotRows(
        _ rows: UnsafePointer<Float>, count: Int, _ x: UnsafePointer<Float>,
        into out: UnsafeMutablePointer<Float>
    ) {
        require(count)
        nbk_dot_rows(rows, count, x, out)
    }
}
