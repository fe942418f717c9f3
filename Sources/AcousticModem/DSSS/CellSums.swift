import CKernels
import Signal

/// The offsets, rotations and starts with which a bin's cells are summed, under some groups of fine Dopplers.
struct CellSums {
    let offsets: UnsafePointer<Int>
    let rotations: UnsafePointer<Float>
    /// `[group][segment]`
    let starts: UnsafePointer<Int>
    let segmentCount: Int
    let isShifted: Bool
    let groupCount: Int
    let perThird: Int

    /// Returns the maximum of each of the ``GroupSums`` rows over the fine Dopplers, with a burst's segments
    /// added up.
    ///
    /// - Parameters:
    ///   - values: the bin's correlations from the burst's start on.
    ///   - gains: the gain of each segment.
    @inline(__always)
    func peaks(_ values: UnsafePointer<Complex>, _ gains: InlineArray<4, Float>) -> InlineArray<5, Float> {
        var peaks = InlineArray<5, Float>(repeating: 0)
        var out = peaks.mutableSpan
        out.withUnsafeMutableBufferPointer { out in
            gains.span.withUnsafeBufferPointer { gains in
                Kernels.floats(values) {
                    nbk_cell_peaks(
                        $0, starts, gains.baseAddress!, segmentCount, isShifted ? 1 : 0, offsets, rotations,
                        groupCount, perThird, out.baseAddress!)
                }
            }
        }
        return peaks
    }
}
