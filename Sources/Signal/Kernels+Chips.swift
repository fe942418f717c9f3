import CKernels

/// Kernels for the search for clusters of chips, and for their echoes (`chips.c`).
extension Kernels {
    /// Returns Σ |values[offset]|².
    package static func gatheredPower(
        _ values: UnsafePointer<Complex>, offsets: UnsafePointer<Int>, _ count: Int
    ) -> Float {
        require(count)
        return floats(values) { nbk_gathered_power($0, offsets, count) }
    }

    /// Sorts values by their place in blocks of sixteen, with their parts apart: `nbk_polyphase` in
    /// `kernels.h`.
    ///
    /// - Parameter stride: at least `columns`.
    package static func polyphase(
        _ z: UnsafePointer<Complex>, columns: Int, re: UnsafeMutablePointer<Float>,
        im: UnsafeMutablePointer<Float>, stride: Int
    ) {
        require(columns)
        precondition(stride >= columns, "whole rows")
        floats(z) { nbk_polyphase($0, columns, re, im, stride) }
    }

    /// Computes turned products of two stretches of such values, by blocks: `nbk_block_products` in
    /// `kernels.h`.
    ///
    /// - Parameters:
    ///   - stride: the number of columns that exist; `a`, `b` and `blocks` name none beyond them.
    ///   - blocks: a multiple of 8.
    package static func blockProducts(
        re: UnsafePointer<Float>, im: UnsafePointer<Float>, stride: Int, _ a: Int, _ b: Int, turn: Complex,
        blocks: Int, intoRe productRe: UnsafeMutablePointer<Float>,
        im productIm: UnsafeMutablePointer<Float>
    ) {
        requireBlocks(blocks, from: min(a, b), to: max(a, b), stride: stride)
        withUnsafePointer(to: turn) {
            floats($0) { nbk_block_products(re, im, stride, a, b, $0, blocks, productRe, productIm) }
        }
    }

    /// Adds the energies of a stretch of such values, by blocks: `nbk_block_energies` in `kernels.h`.
    ///
    /// - Parameters:
    ///   - stride: the number of columns that exist; `a` and `blocks` name none beyond them.
    ///   - blocks: a multiple of 8.
    package static func blockEnergies(
        re: UnsafePointer<Float>, im: UnsafePointer<Float>, stride: Int, _ a: Int, blocks: Int,
        into energies: UnsafeMutablePointer<Float>
    ) {
        requireBlocks(blocks, from: a, to: a, stride: stride)
        nbk_block_energies(re, im, stride, a, blocks, energies)
    }

    /// Traps unless whole vectors of blocks of sixteen, the last of which begins at a sample, lie within the
    /// columns.
    static func requireBlocks(_ blocks: Int, from first: Int, to last: Int, stride: Int) {
        require(blocks, multipleOf: 8)
        precondition(first >= 0 && (last + 14) / 16 + blocks <= stride, "columns that there are")
    }

    /// Computes peaks[j], places[j]: the greatest of exponential tails at sixteen Dopplers,
    /// `nbk_doppler_tails` in `kernels.h`.
    ///
    /// - Parameters:
    ///   - im: in the same array as `re`.
    ///   - stride: at least `blocks`.
    package static func dopplerTails(
        re: UnsafePointer<Float>, im: UnsafePointer<Float>, stride: Int, blocks: Int, pairs: Int,
        turns: UnsafePointer<Float>, decay: Float, least: UnsafePointer<Float>,
        into peaks: UnsafeMutablePointer<Float>, places: UnsafeMutablePointer<UInt8>
    ) {
        require(blocks)
        require(pairs)
        precondition(stride >= blocks, "whole rows")
        nbk_doppler_tails(re, im, stride, blocks, pairs, turns, decay, least, peaks, places)
    }

    /// Returns the greatest of exponential tails over powers of a mean, if it is over `peak`: `nbk_tail_peak`
    /// in `kernels.h`.
    ///
    /// - Parameter width: a multiple of 8, not more than `stride`.
    package static func tailPeak(
        _ x: UnsafePointer<Float>, rows: Int, stride: Int, width: Int, mean: Float, decay: Float,
        gain: Float, over peak: Float
    ) -> (value: Float, row: Int, column: Int)? {
        require(width, multipleOf: 8)
        require(rows)
        precondition(stride >= width, "whole rows")
        var (value, row, column) = (peak, 0, 0)
        let found = nbk_tail_peak(x, rows, stride, width, mean, decay, gain, &value, &row, &column)
        return found == 0 ? nil : (value, row, column)
    }

    /// Removes the part that known chips leave at each tap from the view of all others: `nbk_take_out` in
    /// `kernels.h`.
    ///
    /// - Parameter tapCount: a multiple of 16.
    package static func takeOut(
        known: UnsafePointer<Float>, _ count: Int, takenRe: UnsafePointer<Float>,
        takenIm: UnsafePointer<Float>, tapCount: Int, from re: UnsafeMutablePointer<Float>,
        _ im: UnsafeMutablePointer<Float>
    ) {
        require(tapCount, multipleOf: 16)
        require(count)
        nbk_take_out(known, count, takenRe, takenIm, tapCount, re, im)
    }

    /// The greatest number of taps of a RAKE.
    package static let mostRakeTaps = 128

    /// Computes one direction of a RAKE: `nbk_rake` in `kernels.h`.
    ///
    /// - Parameter tapCount: a multiple of 8, ``mostRakeTaps`` at most.
    package static func rake(
        _ re: UnsafePointer<Float>, _ im: UnsafePointer<Float>, known: UnsafePointer<Float>,
        energy: UnsafePointer<Float>, loads: UnsafePointer<Float>, takenRe: UnsafePointer<Float>,
        takenIm: UnsafePointer<Float>, tapCount: Int, _ count: Int, isBackward: Bool, decay: Float,
        into soft: UnsafeMutablePointer<Float>
    ) {
        require(tapCount, multipleOf: 8)
        require(count)
        precondition(tapCount <= mostRakeTaps, "as many as the kernel has room for")
        nbk_rake(
            re, im, known, energy, loads, takenRe, takenIm, tapCount, count, isBackward ? 1 : 0, decay, soft)
    }
}
