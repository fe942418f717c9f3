import CKernels

/// Kernels for rows of numbers: sums, extremes, quantiles, exponentials and logarithms (`rows.c`).
extension Kernels {
    /// Returns Σ x[i].
    package static func sum(_ x: UnsafePointer<Float>, _ count: Int) -> Float {
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

    /// Returns Σ_i table[places[i]] over `count` places.
    package static func sum(
        of table: UnsafePointer<Float>, at places: UnsafePointer<UInt16>, _ count: Int
    ) -> Float {
        require(count)
        return nbk_sum_at(table, places, count)
    }

    /// Computes out[i] = Σ_r base[offsets[r] + i].
    package static func sumRows(
        _ base: UnsafePointer<Float>, offsets: UnsafeBufferPointer<Int>, _ count: Int,
        into out: UnsafeMutablePointer<Float>
    ) {
        require(count)
        nbk_sum_rows(base, offsets.baseAddress, offsets.count, out, count)
    }

    /// Computes x[i] = min(x[i] scale, ceiling); NaN becomes `ceiling`.
    package static func scale(
        _ x: UnsafeMutablePointer<Float>, by scale: Float, ceiling: Float, _ count: Int
    ) {
        require(count)
        nbk_scale_clip(x, scale, ceiling, count)
    }

    /// Multiplies each median by `up` where values[i] scale is over it, and by `down` elsewhere; none leaves
    /// `bounds`. `values` does not overlap `medians`.
    package static func step(
        medians: UnsafeMutablePointer<Float>, towards values: UnsafePointer<Float>, scale: Float, up: Float,
        down: Float, within bounds: ClosedRange<Float>, _ count: Int
    ) {
        require(count)
        nbk_step_medians(
            medians, values, scale, up, down, bounds.lowerBound, bounds.upperBound, count)
    }

    /// Computes out[i] = e^min(x[i], greatest), to two units in the last place; under −87 as at −87, over 88
    /// as at 88.
    ///
    /// - Parameters:
    ///   - count: a multiple of 8.
    ///   - out: does not overlap `x`.
    package static func exponentials(
        _ x: UnsafePointer<Float>, atMost greatest: Float, _ count: Int, into out: UnsafeMutablePointer<Float>
    ) {
        require(count, multipleOf: 8)
        precondition(areApart(x, out, count), "places of their own")
        nbk_exps(x, greatest, out, count)
    }

    /// Computes out[i] = ln(x[i] gain + least), to two units in the last place, if the sum is positive and
    /// not denormal; otherwise the result is some finite number. Returns the greatest result.
    ///
    /// - Parameters:
    ///   - count: a positive multiple of 8.
    ///   - out: does not overlap `x`.
    @discardableResult
    package static func logarithms(
        _ x: UnsafePointer<Float>, by gain: Float, plus least: Float, _ count: Int,
        into out: UnsafeMutablePointer<Float>
    ) -> Float {
        require(count, multipleOf: 8, atLeast: 8)
        precondition(areApart(x, out, count), "places of their own")
        return nbk_logs(x, gain, least, out, count)
    }

    /// Computes out[c · outStride + r] = rows[r · stride + c].
    ///
    /// - Parameters:
    ///   - stride: at least `columns`.
    ///   - outStride: at least `rowCount`.
    package static func transpose(
        _ rows: UnsafePointer<Float>, rowCount: Int, stride: Int, columns: Int,
        into out: UnsafeMutablePointer<Float>, outStride: Int
    ) {
        require(rowCount)
        require(columns)
        precondition(stride >= columns && outStride >= rowCount, "whole rows")
        nbk_transpose(rows, stride, rowCount, columns, out, outStride)
    }

    /// Returns the greatest value; `count` is a positive multiple of 8.
    package static func maximum(_ x: UnsafePointer<Float>, _ count: Int) -> Float {
        require(count, multipleOf: 8, atLeast: 8)
        return nbk_maximum(x, count)
    }

    /// Returns the first place of the greatest value; `count` is a positive multiple of 8.
    package static func indexOfMaximum(_ x: UnsafePointer<Float>, _ count: Int) -> Int {
        require(count, multipleOf: 8, atLeast: 8)
        return nbk_index_of_maximum(x, count)
    }

    /// Returns the least i in `range` with x[i] > threshold, or its end. The lower bound is not negative.
    package static func firstAbove(
        _ threshold: Float, _ x: UnsafePointer<Float>, in range: Range<Int>
    ) -> Int {
        require(range.lowerBound)
        return nbk_next_above(x, range.lowerBound, range.upperBound, threshold)
    }

    /// Finds every i < count with x[i] > threshold, in order, or, unless `all`, only those that no neighbour
    /// exceeds. Returns how many.
    ///
    /// - Parameters:
    ///   - x: can be read from −1 to `count`, which is at most 65536.
    ///   - places: `[count + 1]`.
    package static func peaksAbove(
        _ threshold: Float, _ x: UnsafePointer<Float>, _ count: Int, all: Bool,
        into places: UnsafeMutablePointer<UInt16>
    ) -> Int {
        precondition(count >= 0 && count <= 65536, "places have 16 bits")
        return nbk_peaks_above(x, count, threshold, all ? 1 : 0, places)
    }

    /// The number of values in a stretch.
    package static let stretch = 32

    /// Returns the stretches whose greatest value is over `share` times the sum of their others.
    ///
    /// - Parameter count: whole stretches, 64 at most.
    package static func stretches(_ x: UnsafePointer<Float>, _ count: Int, above share: Float) -> Stretches {
        require(count, multipleOf: stretch)
        precondition(count <= 64 * stretch, "a bit for each")
        return Stretches(bits: nbk_stretches_above(x, count / stretch, share))
    }

    /// Some of 64 stretches, in order.
    package struct Stretches: Sequence, IteratorProtocol {
        fileprivate var bits: UInt64

        package mutating func next() -> Int? {
            guard bits != 0 else { return nil }
            defer { bits &= bits - 1 }
            return bits.trailingZeroBitCount
        }
    }

    /// Returns how many of `gain x[i]` are less than a bound.
    ///
    /// - Parameter count: a multiple of 16.
    package static func count(
        _ x: UnsafePointer<Float>, _ count: Int, by gain: Float, below bound: Float
    ) -> Int {
        require(count, multipleOf: 16)
        return nbk_count_below(x, count, gain, bound)
    }

    /// Returns the value at `place` of `x`, were it sorted.
    ///
    /// - Parameters:
    ///   - x: not negative, a positive multiple of 16 of them.
    ///   - least: a lower bound of the value sought; negative values and NaN count as 0.
    package static func value(
        at place: Int, of x: UnsafePointer<Float>, _ count: Int, least: Float
    ) -> Float {
        require(count, multipleOf: 16, atLeast: 16)
        precondition(place >= 0 && place < count, "one of the places")
        return nbk_value_at(x, count, place, least > 0 ? least : 0)
    }

    /// Computes the value at place `rank` of each of `columns` columns, were its rows sorted.
    ///
    /// - Parameters:
    ///   - rows: not negative; row r begins at r · stride. Any other number is in the order of its bits.
    ///   - columns: a multiple of 16.
    ///   - values: guesses on entry, results on return; the nearer the guess, the quicker the search.
    ///     `[columns]`
    package static func ranks(
        _ rows: UnsafePointer<Float>, rowCount: Int, stride: Int, columns: Int, rank: Int,
        into values: UnsafeMutablePointer<Float>
    ) {
        require(columns, multipleOf: 16)
        precondition(rank >= 0 && rank < rowCount, "one of the rows")
        nbk_ranks(rows, rowCount, stride, columns, rank, values)
    }
}
