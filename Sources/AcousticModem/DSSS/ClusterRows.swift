import Signal

/// Correlations of some Doppler bins over time, a row each, with the powers and gates that are made of them, where they are.
///
///     values   |start …… end|      complex
///     powers   |start …… end|      |values|² in units of the noise, clipped
///     gates    |start …… end|      of a segment that begins there, the sum of its clusters' powers
///
/// What has not been made is anything.
struct ClusterRows: Sendable {
    /// How long rows are.
    struct Extent: Sendable {
        /// Columns that the caller needs at once, and some more: the more, the seldomer are they moved.
        var keptSamples: Int
        var spareSamples: Int
        /// Columns that one transform writes, and how many of them are good.
        var transformCount: Int
        var hop: Int
    }

    let rowCount: Int
    private(set) var start: SamplePosition
    /// Columns from `start`.
    private(set) var count: Int
    /// Where the caller's need begins.
    private(set) var needed: SamplePosition
    private let extent: Extent
    private let capacity: Int
    /// `[rowCount][capacity]` each.
    private var values: [Complex]
    private var powers: [Float]
    private var gates: [Float]

    /// `count` columns of zeros from `start` on.
    init(rowCount: Int, extent: Extent, start: SamplePosition, count: Int = 0) {
        (self.rowCount, self.extent) = (rowCount, extent)
        (self.start, self.count, needed) = (start, count, start)
        // Rows are aligned alike.
        capacity = (extent.keptSamples + extent.spareSamples + 2 * extent.transformCount + 3) & ~3
        values = [Complex](repeating: .zero, count: rowCount * capacity)
        powers = [Float](repeating: 0, count: rowCount * capacity)
        gates = powers
    }

    var end: SamplePosition { start + count }

    /// What lies before `position` is needed no more.
    mutating func drop(before position: SamplePosition) { needed = max(needed, position) }

    /// Takes up a block that is still to be made. Room for it is made by moving what is kept, and so seldom.
    ///
    /// - Parameter blocks: what has been made of each.
    mutating func extend(_ blocks: ArraySlice<ClusterField.Block>) {
        if count + extent.transformCount > capacity { forget(blocks) }
        precondition(count + extent.transformCount <= capacity, "the caller drops what it has searched")
        count += extent.hop
    }

    private mutating func forget(_ blocks: ArraySlice<ClusterField.Block>) {
        // Whole blocks, from one of which rows begin.
        let hop = extent.hop
        let droppedBlocks = max(min(needed - start, count), 0) / hop
        let dropped = droppedBlocks * hop
        start += dropped
        count -= dropped
        for (place, block) in blocks.dropFirst(droppedBlocks).enumerated() where block.hasValues {
            let columns = place * hop..<(place + 1) * hop
            ClusterRows.slide(&values, rowCount, capacity, columns, by: dropped)
            ClusterRows.slide(&powers, rowCount, capacity, columns, by: dropped)
            if block.gateCount > 0 {
                ClusterRows.slide(&gates, rowCount, capacity, columns, by: dropped)
            }
        }
    }

    /// Moves columns to where they are now, `dropped` to the front.
    private static func slide<Element: BitwiseCopyable>(
        _ rows: inout [Element], _ rowCount: Int, _ capacity: Int, _ columns: Range<Int>, by dropped: Int
    ) {
        rows.withUnsafeMutableBufferPointer {
            for row in 0..<rowCount {
                let first = $0.baseAddress! + row * capacity + columns.lowerBound
                first.copy(from: first + dropped, count: columns.count)
            }
        }
    }

    /// Makes a block of a row's values: what `correlator` has taken, correlated with a bin, or zeros. Returns its mean power.
    ///
    /// - Parameter mayRunOver: whether nothing has been made of what follows the block.
    mutating func setBlock(
        _ row: Int, at position: SamplePosition, bin: Int?, from correlator: inout ClusterCorrelator,
        mayRunOver: Bool
    ) -> Float {
        let hop = extent.hop
        let place = place(row, position)
        return values.withUnsafeMutableBufferPointer { values in
            let values = values.baseAddress! + place
            if let bin {
                correlator.correlate(bin: bin, into: values, mayRunOver: mayRunOver)
            } else {
                values.update(repeating: .zero, count: hop)
            }
            return powers.withUnsafeMutableBufferPointer {
                Kernels.powers(values, hop, into: $0.baseAddress! + place) / Float(hop)
            }
        }
    }

    /// Brings the powers of some columns of a block to units of the noise.
    mutating func scale(_ row: Int, _ columns: Range<SamplePosition>, by scale: Float, ceiling: Float) {
        let place = place(row, columns.lowerBound)
        powers.withUnsafeMutableBufferPointer {
            Kernels.scale($0.baseAddress! + place, by: scale, ceiling: ceiling, columns.count)
        }
    }

    /// Makes `count` of a row's gates; all that they sum must have been made.
    mutating func setGates(
        _ row: Int, at position: SamplePosition, _ count: Int, offsets: UnsafeBufferPointer<Int>
    ) {
        let place = place(row, position)
        powers.withUnsafeBufferPointer { powers in
            gates.withUnsafeMutableBufferPointer {
                Kernels.sumRows(
                    powers.baseAddress! + place, offsets: offsets, count, into: $0.baseAddress! + place)
            }
        }
    }

    private func place(_ row: Int, _ position: SamplePosition) -> Int { row * capacity + (position - start) }

    /// Some of a row.
    struct Row<Element> {
        fileprivate let first: UnsafePointer<Element>
        fileprivate let start: SamplePosition

        /// From a position on.
        @inline(__always)
        func from(_ position: SamplePosition) -> UnsafePointer<Element> { first + (position - start) }
    }

    /// Calls `body` with a row's values and gates.
    @inline(__always)
    func withRow<Result>(
        _ row: Int, _ body: (_ values: Row<Complex>, _ gates: Row<Float>) -> Result
    ) -> Result {
        values.withUnsafeBufferPointer { values in
            gates.withUnsafeBufferPointer { gates in
                body(
                    Row(first: values.baseAddress! + row * capacity, start: start),
                    Row(first: gates.baseAddress! + row * capacity, start: start))
            }
        }
    }
}
