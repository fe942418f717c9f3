import CKernels
import Signal

/// The powers of a segment's clusters summed coherently at eight fine Dopplers. The clusters fall into three
/// thirds, whose signs make a lane.
enum GroupSums {
    /// The number of rows of ``addPowers(_:_:bin:group:shift:gain:to:stride:adds:)``: one for each lane, and
    /// one for the thirds without regard to phase.
    static let rowCount = PilotPattern.laneCount + 1

    /// Adds, or sets, `gain` |Σ|² under each lane's signs, and Σ over the thirds of |·|², which remains if
    /// the phase wanders. Lane ℓ has pattern (ℓ + shift) mod 4.
    ///
    /// - Parameter values: the bin's correlations from the segment's first cluster on.
    /// - Parameter rows: row r begins at `r · stride`.
    @inline(__always)
    static func addPowers(
        _ values: UnsafePointer<Complex>, _ grid: SearchGrid, bin: Int, group: Int, shift: Int, gain: Float,
        to rows: UnsafeMutablePointer<Float>, stride: Int, adds: Bool = true
    ) {
        let perThird = grid.clusterCount / PilotPattern.groupCount
        grid.withGroup(bin: bin, group: group) { offsets, rotations in
            Kernels.floats(values) {
                nbk_group_powers(
                    $0, offsets, rotations, perThird, Int32(shift), gain, rows, stride, adds ? 1 : 0)
            }
        }
    }

    /// Adds `gain` |Σ|² under the signs of one of ``PilotPattern/lanePatterns``, at `starts` from `values`
    /// on; row i begins at `i · stride`.
    @inline(__always)
    static func addPowers(
        _ values: UnsafePointer<Complex>, starts: UnsafeBufferPointer<Int>, _ grid: SearchGrid, bin: Int,
        group: Int, pattern: Int, gain: Float, to rows: UnsafeMutablePointer<SIMD8<Float>>, stride: Int
    ) {
        guard let first = starts.baseAddress, !starts.isEmpty else { return }
        let perThird = grid.clusterCount / PilotPattern.groupCount
        grid.withGroup(bin: bin, group: group) { offsets, rotations in
            Kernels.floats(values) {
                nbk_pattern_powers(
                    $0, first, starts.count, offsets, rotations, perThird, Int32(pattern), gain, floats(rows),
                    8 * stride)
            }
        }
    }

    /// Calls `body` with the data from which the greatest sums of cells of a bin and of `groups` are made.
    @inline(__always)
    static func withCells<Result>(
        _ grid: SearchGrid, _ burst: BurstGrid, bin: Int, groups: Range<Int>, _ body: (CellSums) -> Result
    ) -> Result {
        let plan = burst.plan
        precondition(plan.segmentCount <= 4, "as many gains as there is room for")
        let perThird = grid.clusterCount / PilotPattern.groupCount
        return grid.withGroup(bin: bin, group: groups.lowerBound) { offsets, rotations in
            burst.withSegmentOffsets(bin: bin, group: groups.lowerBound) { starts in
                body(
                    CellSums(
                        offsets: offsets, rotations: rotations, starts: starts,
                        segmentCount: plan.segmentCount,
                        isShifted: !plan.combinesRepeats, groupCount: groups.count, perThird: perThird))
            }
        }
    }

    private static func floats(_ rows: UnsafeMutablePointer<SIMD8<Float>>) -> UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer(rows).assumingMemoryBound(to: Float.self)
    }
}
