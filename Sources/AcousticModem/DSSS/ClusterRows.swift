import Signal

/// Correlations of some Doppler bins over time, a row for each, with the powers and gates made of them.
///
///     values   |start …… end|      complex
///     powers   |start …… end|      |values|² in units of the noise, clipped
///     gates    |start …… end|      of a segment that begins there, the sum of its clusters' powers
///
/// A column that has not been made holds any value.
struct ClusterRows: Sendable {
    /// The lengths that determine the size of rows.
    struct Extent: Sendable {
        /// The columns that the caller needs at once, and some more: the more there are, the less often
        /// columns are moved.
        var keptSamples: Int
        var spareSamples: Int
        /// The columns that one transform writes, and the number of them that are valid.
        var transformCount: Int
        var hop: Int
    }

    let rowCount: Int
    private(set) var start: SamplePosition
    /// The number of columns from `start`.
    private(set) var count: Int
    /// The first column that the caller still needs.
    private(set) var needed: SamplePosition
    private let extent: Extent
    private let capacity: Int
    /// The rows, `[rowCount][capacity]` each.
    private var values: [Complex]
    private var powers: [Float]
    private var gates: [Float]

    init(rowCount: Int, extent: Extent, start: SamplePosition) {
        (self.rowCount, self.extent) = (rowCount, extent)
        (self.start, count, needed) = (start, 0, start)
        // All rows have the same alignment.
        capacity = (extent.keptSamples + extent.spareSamples + 2 * extent.transformCount + 3) & ~3
        values = [Complex](repeating: .zero, count: rowCount * capacity)
        powers = [Float](repeating: 0, count: rowCount * capacity)
        gates = [Float](repeating: 0, count: rowCount * capacity)  // not shared, to be copied later
    }

    /// Begins anew in the same memory, with `count` columns of zeros from `start` on.
    mutating func restart(at start: SamplePosition, count: Int = 0) {
        precondition(count <= capacity, "as many columns as there is room for")
        (self.start, self.count, needed) = (start, count, start)
        for row in stride(from: 0, to: rowCount * capacity, by: capacity) {
            for place in row..<row + count { (values[place], powers[place], gates[place]) = (.zero, 0, 0) }
        }
    }

    var end: SamplePosition { start + count }

    /// Marks the columns before `position` as no longer needed.
    mutating func drop(before position: SamplePosition) { needed = max(needed, position) }

    /// Appends a block that is still to be made. If there is no room, the columns still needed are moved to
    /// the front, which is seldom.
    ///
    /// - Parameter blocks: the state of each block.
    mutating func extend(_ blocks: ArraySlice<ClusterField.Block>) {
        if count + extent.transformCount > capacity { forget(blocks) }
        precondition(count + extent.transformCount <= capacity, "the caller drops what it has searched")
        count += extent.hop
    }

    private mutating func forget(_ blocks: ArraySlice<ClusterField.Block>) {
        // Only whole blocks are dropped: rows begin with a block.
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

    /// Moves columns to their new place, `dropped` places to the front.
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

    /// Makes a block of a row's values: the samples that `correlator` took last, correlated with a bin, or
    /// zeros if `bin` is `nil`. Returns its mean power.
    ///
    /// - Parameter mayRunOver: true if nothing has been made of the columns after the block.
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

    /// Scales the powers of some columns of a block to units of the noise.
    mutating func scale(_ row: Int, _ columns: Range<SamplePosition>, by scale: Float, ceiling: Float) {
        let place = place(row, columns.lowerBound)
        powers.withUnsafeMutableBufferPointer {
            Kernels.scale($0.baseAddress! + place, by: scale, ceiling: ceiling, columns.count)
        }
    }

    /// Makes `count` of a row's gates. All powers that they sum must have been made.
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

    /// Access to the elements of one row.
    struct Row<Element> {
        fileprivate let first: UnsafePointer<Element>
        fileprivate let start: SamplePosition

        /// Returns the elements from a position on.
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
