import Signal

/// Correlations of some Doppler bins over time, a row each, with the powers and gates that are made of them.
///
///     values   |start ……………………………………………… end|
///     gates    |start ……………… gateEnd|                 a segment's span shorter
///     powers                  |powerStart ……… end|   of which gates are still to be made
struct ClusterRows: Sendable {
    /// How long rows are.
    struct Extent: Sendable {
        /// Columns that the caller needs at once, and some more: the more, the seldomer are they moved.
        var keptSamples: Int
        var spareSamples: Int
        /// Columns that one transform writes, and how many of them are good.
        var transformCount: Int
        var hop: Int
        /// From a gate's column to the last one that it sums.
        var segmentSpanSamples: Int
    }

    let rowCount: Int
    private(set) var start: Int
    /// Columns of values, and of gates, from `start`.
    private(set) var count: Int
    private(set) var gateCount: Int
    /// Where the caller's need begins.
    private(set) var needed: Int
    private let extent: Extent
    private let capacity: Int
    private let gateCapacity: Int
    private let powerCapacity: Int
    private var powerStart: Int
    /// `[rowCount][capacity]`, `[rowCount][gateCapacity]` and `[rowCount][powerCapacity]`
    private var values: [Complex]
    private var gates: [Float]
    private var powers: [Float]

    /// Columns of powers beyond those that are needed, at most: forgotten at once.
    private static let sparePowers = 1024

    /// `count` columns of zeros from `start` on, `gateCount` of them with gates.
    init(rowCount: Int, extent: Extent, start: Int, count: Int = 0, gateCount: Int = 0) {
        (self.rowCount, self.extent) = (rowCount, extent)
        (self.start, self.count, self.gateCount, needed) = (start, count, gateCount, start)
        // Rows are aligned alike.
        let full = extent.keptSamples + extent.spareSamples + 2 * extent.transformCount
        capacity = (full + 3) & ~3
        gateCapacity = (max(full - extent.segmentSpanSamples, 0) + 3) & ~3
        powerCapacity =
            extent.segmentSpanSamples + 2 * extent.hop + min(extent.spareSamples, ClusterRows.sparePowers)
        powerStart = start + gateCount
        values = [Complex](repeating: .zero, count: rowCount * capacity)
        gates = [Float](repeating: 0, count: rowCount * gateCapacity)
        powers = [Float](repeating: 0, count: rowCount * powerCapacity)
    }

    var end: Int { start + count }
    /// Position after the last column with a gate.
    var gateEnd: Int { start + gateCount }

    /// What lies before `position` is needed no more.
    mutating func drop(before position: Int) { needed = max(needed, position) }

    /// Makes room for the next block: each time moves what is kept, and so waits until it must.
    mutating func makeRoom() {
        if count + extent.transformCount > capacity { forget() }
        precondition(count + extent.transformCount <= capacity, "the caller drops what it has searched")
        guard end - powerStart + extent.hop > powerCapacity else { return }
        let used = gateEnd - powerStart
        ClusterRows.slide(&powers, rowCount, powerCapacity, by: used, keeping: end - gateEnd)
        powerStart += used
    }

    private mutating func forget() {
        let dropped = max(min(needed - start, gateCount), 0) & ~3
        ClusterRows.slide(&values, rowCount, capacity, by: dropped, keeping: count - dropped)
        ClusterRows.slide(&gates, rowCount, gateCapacity, by: dropped, keeping: gateCount - dropped)
        start += dropped
        count -= dropped
        gateCount -= dropped
    }

    /// Puts the next block of a row where it belongs: what `correlator` has taken, correlated with a bin, or zeros. Returns
    /// its mean power.
    mutating func appendBlock(_ row: Int, bin: Int?, from correlator: inout ClusterCorrelator) -> Float {
        let hop = extent.hop
        let place = row * capacity + count
        let powerPlace = row * powerCapacity + end - powerStart
        return values.withUnsafeMutableBufferPointer { values in
            let values = values.baseAddress! + place
            if let bin {
                correlator.correlate(bin: bin, into: values)
            } else {
                values.update(repeating: .zero, count: hop)
            }
            return powers.withUnsafeMutableBufferPointer {
                Kernels.powers(values, hop, into: $0.baseAddress! + powerPlace) / Float(hop)
            }
        }
    }

    /// Brings the powers of a row's next block to units of the noise.
    mutating func scaleBlock(_ row: Int, by scale: Float, ceiling: Float) {
        let powerPlace = row * powerCapacity + end - powerStart
        powers.withUnsafeMutableBufferPointer {
            Kernels.scale($0.baseAddress! + powerPlace, by: scale, ceiling: ceiling, extent.hop)
        }
    }

    /// All rows have their next block: makes the gates that it completes. `bin(row)` is a row's bin.
    mutating func advance(_ grid: SearchGrid, bin: (_ row: Int) -> Int) {
        count += extent.hop
        let newCount = count - extent.segmentSpanSamples
        guard newCount > gateCount else { return }
        let (first, fresh) = (gateCount, newCount - gateCount)
        let powerFirst = gateEnd - powerStart
        powers.withUnsafeBufferPointer { powers in
            gates.withUnsafeMutableBufferPointer { gates in
                for row in 0..<rowCount {
                    grid.withGateOffsets(bin: bin(row)) { offsets in
                        Kernels.sumRows(
                            powers.baseAddress! + row * powerCapacity + powerFirst, offsets: offsets, fresh,
                            into: gates.baseAddress! + row * gateCapacity + first)
                    }
                }
            }
        }
        gateCount = newCount
    }

    private static func slide<Element>(
        _ rows: inout [Element], _ rowCount: Int, _ capacity: Int, by dropped: Int, keeping kept: Int
    ) {
        rows.withUnsafeMutableBufferPointer {
            for row in 0..<rowCount {
                let first = $0.baseAddress! + row * capacity
                first.update(from: first + dropped, count: kept)
            }
        }
    }

    /// Calls `body` with pointers to a row's values and gates, indexed by absolute position.
    @inline(__always)
    func withRow<Result>(
        _ row: Int, _ body: (_ values: UnsafePointer<Complex>, _ gates: UnsafePointer<Float>) -> Result
    ) -> Result {
        values.withUnsafeBufferPointer { values in
            gates.withUnsafeBufferPointer { gates in
                body(
                    values.baseAddress! + row * capacity - start,
                    gates.baseAddress! + row * gateCapacity - start)
            }
        }
    }
}
