import Signal

/// The sliding field of cluster correlations that acquisition searches: time × coarse Doppler bin.
///
///     values   c(bin, t)                              complex
///     gates    Σ over a segment's clusters of |c|²    non-coherent, in units of the noise, clipped
///
/// Positions are absolute baseband samples; what lies before `start` has been dropped.
package struct ClusterField: Sendable {
    let grid: SearchGrid
    private(set) var start: Int
    /// Columns of `values`, and of `gates`, from `start`.
    private(set) var count = 0
    private(set) var gateCount = 0
    private let capacity: Int
    /// `[rowCount][capacity]`; a bin's is ``row(_:_:)``.
    private var values: [Complex]
    private var gates: [Float]
    /// |c|² over the noise, of columns that gates are still to be made of, from position `powerStart` on.
    /// `[rowCount][powerCapacity]`
    private var powers: [Float]
    private var powerStart: Int
    private let powerCapacity: Int
    /// Mean power of each block of `hop` columns, `(block, bin)`; the first block is `firstBlock`.
    private var levels: [Float] = []
    private var firstBlock = 0
    /// Where block 0 begins: before the recording, so that its level does not count.
    private let origin: Int
    private var correlator: ClusterCorrelator
    private var pending: [Complex]

    private var strength = StrengthMeter()
    /// Where the last strong block ended, and whether any is still held: only then outer bins are used, and have rows.
    private(set) var strongEnd = Int.min
    private var holdsStrong = false

    /// A single column's power counts at most this many times the mean: impulses must not outweigh a frame.
    private static let clip: Float = 14
    /// Samples whose mean is the noise level of the newest block, half a second; and at least that of the last few,
    /// which short blocks have more of: a cluster that straddles two must have one scale.
    private static let levelSamples = 1344
    private static let newestSamples = 256
    private let levelBlocks: Int
    private let newestBlocks: Int

    /// Columns dropped at once, of powers and of all else: each drop moves what is kept.
    private let leastDrop: Int
    private static let usualDrop = 2400
    private static let leastPowerDrop = 1024

    /// - Parameter keptSamples: how much of the past the caller needs at once.
    package init(grid: SearchGrid, keptSamples: Int) {
        self.init(
            correlator: ClusterCorrelator(grid: grid), grid: grid, keptSamples: keptSamples,
            leastDrop: ClusterField.usualDrop)
    }

    init(correlator: ClusterCorrelator, grid: SearchGrid, keptSamples: Int, leastDrop: Int) {
        self.grid = grid
        self.correlator = correlator
        self.leastDrop = leastDrop
        levelBlocks = (ClusterField.levelSamples + correlator.hop / 2) / correlator.hop
        newestBlocks = max(1, ClusterField.newestSamples / correlator.hop)
        // A block of silence first: searches look back, and a frame may begin with the recording.
        pending = [Complex](repeating: .zero, count: correlator.hop)
        start = -correlator.hop
        origin = start
        let needed = keptSamples + leastDrop + 2 * correlator.transformCount
        capacity = (needed + 3) & ~3  // rows are aligned alike
        let rowCount = grid.coreBins.count
        values = [Complex](repeating: .zero, count: rowCount * capacity)
        powerStart = start
        powerCapacity = grid.segmentSpanSamples + 2 * correlator.hop + ClusterField.leastPowerDrop
        powers = [Float](repeating: 0, count: rowCount * powerCapacity)
        gates = [Float](repeating: 0, count: rowCount * capacity)
    }

    /// Core bins first, so that the others' rows can come and go behind them.
    private static func row(_ bin: Int, _ grid: SearchGrid) -> Int {
        let core = grid.coreBins
        return core.contains(bin) ? bin - core.lowerBound : bin < core.lowerBound ? core.count + bin : bin
    }

    /// Rows of zeros for the outer bins, or none. They are as large as the others, and seldom needed.
    private mutating func holdStrong(_ isStrong: Bool) {
        holdsStrong = isStrong
        let rowCount = usedBins.count
        values = ClusterField.resized(values, to: rowCount * capacity, filler: .zero)
        gates = ClusterField.resized(gates, to: rowCount * capacity, filler: 0)
        powers = ClusterField.resized(powers, to: rowCount * powerCapacity, filler: 0)
    }

    /// In memory of just that size.
    private static func resized<Element>(_ old: [Element], to count: Int, filler: Element) -> [Element] {
        [Element](unsafeUninitializedCapacity: count) { new, filled in
            let kept = min(count, old.count)
            _ = new.initialize(fromContentsOf: old[..<kept])
            new[kept...].initialize(repeating: filler)
            filled = count
        }
    }

    /// Position after the last column with a gate value.
    var gateEnd: Int { start + gateCount }
    package var end: Int { start + count }

    /// Adds baseband samples; the first ever stands at position 0.
    package mutating func append(_ samples: ArraySlice<Complex>) {
        pending += samples
        var used = 0
        while pending.count - used >= correlator.transformCount {
            appendBlock(at: used)
            used += correlator.hop
        }
        pending.removeFirst(used)
    }

    private mutating func appendBlock(at offset: Int) {
        let hop = correlator.hop
        let column = count
        let capacity = capacity
        let grid = grid
        precondition(
            column + correlator.transformCount <= capacity, "the caller drops what it has searched")
        let isStrong = strength.isStrong(pending[offset..<offset + hop])
        if isStrong {
            strongEnd = start + column + hop
            if !holdsStrong { holdStrong(true) }
        }
        pending.withUnsafeBufferPointer { block in
            values.withUnsafeMutableBufferPointer { values in
                if holdsStrong && !isStrong {
                    for bin in 0..<grid.binCount where !grid.coreBins.contains(bin) {
                        (values.baseAddress! + ClusterField.row(bin, grid) * capacity + column).update(
                            repeating: .zero, count: hop)
                    }
                }
                let bins = isStrong ? 0..<grid.binCount : grid.coreBins
                correlator.correlate(block.baseAddress! + offset, bins: bins) { bin in
                    values.baseAddress! + ClusterField.row(bin, grid) * capacity + column
                }
            }
        }
        let powerColumn = makeRoomForPowers(hop)
        let oldLevels = levels.count / grid.binCount
        for bin in 0..<grid.binCount {
            guard holdsStrong || grid.coreBins.contains(bin) else {
                levels.append(0)
                continue
            }
            let row = ClusterField.row(bin, grid)
            let place = row * powerCapacity + powerColumn
            var total: Float = 0
            values.withUnsafeBufferPointer { values in
                powers.withUnsafeMutableBufferPointer { powers in
                    total = Kernels.powers(
                        values.baseAddress! + row * capacity + column, hop, into: powers.baseAddress! + place)
                }
            }
            let isBeforeRecording = start + column < 0
            levels.append(isBeforeRecording ? 0 : total / Float(hop))
            // Where a strong frame sets in, the past says too little of the noise.
            let noise = max(
                level(bin, last: levelBlocks, upTo: oldLevels),
                level(bin, last: newestBlocks, upTo: oldLevels))
            let scale = noise > 0 ? 1 / noise : 0
            powers.withUnsafeMutableBufferPointer { powers in
                Kernels.scale(
                    powers.baseAddress! + place, by: scale, ceiling: ClusterField.clip, hop)
            }
        }
        count += hop
        extendGates()
    }

    /// Mean level of a bin's last blocks; digital silence says nothing of the noise.
    private func level(_ bin: Int, last count: Int, upTo newest: Int) -> Float {
        var level: Float = 0
        var blocks: Float = 0
        for back in 0..<min(count, newest + 1) {
            let blockLevel = levels[(newest - back) * grid.binCount + bin]
            level += blockLevel
            if blockLevel > 0 { blocks += 1 }
        }
        return blocks > 0 ? level / blocks : 0
    }

    /// Where the next powers go: forgets those that gates have been made of, if there is no room.
    private mutating func makeRoomForPowers(_ hop: Int) -> Int {
        let column = end - powerStart
        guard column + hop > powerCapacity else { return column }
        let used = gateEnd - powerStart
        let (rows, capacity) = (usedBins.count, powerCapacity)
        powers.withUnsafeMutableBufferPointer {
            for row in 0..<rows {
                ($0.baseAddress! + row * capacity).slide(by: used, keeping: column - used)
            }
        }
        powerStart += used
        return column - used
    }

    /// Outer bins hold nothing where nothing is strong, and cost nothing.
    private var usedBins: Range<Int> { holdsStrong ? 0..<grid.binCount : grid.coreBins }

    private mutating func extendGates() {
        let newCount = count - grid.segmentSpanSamples
        guard newCount > gateCount else { return }
        let first = gateCount
        let fresh = newCount - gateCount
        let bins = usedBins
        let powerFirst = gateEnd - powerStart
        powers.withUnsafeBufferPointer { powers in
            gates.withUnsafeMutableBufferPointer { gates in
                for bin in bins {
                    let row = ClusterField.row(bin, grid)
                    grid.withGateOffsets(bin: bin) { offsets in
                        Kernels.sumRows(
                            powers.baseAddress! + row * powerCapacity + powerFirst, offsets: offsets, fresh,
                            into: gates.baseAddress! + row * capacity + first)
                    }
                }
            }
        }
        gateCount = newCount
    }

    /// Forgets the columns before `position`.
    package mutating func drop(before position: Int) {
        let dropped = min(position - start, gateCount) & ~3
        guard dropped >= leastDrop else { return }
        let keptCount = count - dropped
        let keptGates = gateCount - dropped
        for row in 0..<usedBins.count {
            let first = row * capacity
            values.withUnsafeMutableBufferPointer {
                ($0.baseAddress! + first).slide(by: dropped, keeping: keptCount)
            }
            gates.withUnsafeMutableBufferPointer {
                ($0.baseAddress! + first).slide(by: dropped, keeping: keptGates)
            }
        }
        start += dropped
        if holdsStrong && strongEnd <= start { holdStrong(false) }
        count -= dropped
        gateCount -= dropped
        let oldBlocks = min(
            start / correlator.hop - firstBlock, levels.count / grid.binCount - levelBlocks)
        if oldBlocks > 0 {
            levels.removeFirst(oldBlocks * grid.binCount)
            firstBlock += oldBlocks
        }
    }

    /// Mean power of a bin over `span` columns from `position`: the noise level of a hypothesis there. The frame's
    /// own data chips are part of it, being noise to every wrong hypothesis.
    func level(bin: Int, from position: Int, span: Int) -> Float {
        let first = max((position - origin) / correlator.hop - firstBlock, 0)
        let last = min(
            (position + span - origin) / correlator.hop - firstBlock, levels.count / grid.binCount - 1)
        guard first <= last else { return 0 }
        var sum: Float = 0
        var blocks: Float = 0
        for block in first...last where levels[block * grid.binCount + bin] > 0 {
            sum += levels[block * grid.binCount + bin]
            blocks += 1
        }
        return blocks > 0 ? sum / blocks : 0
    }

    /// Calls `body` with pointers to a bin's values and gates, indexed by absolute position. An outer bin is there from
    /// `start` on while ``strongEnd`` is after that.
    @inline(__always)
    func withBin<Result>(
        _ bin: Int, _ body: (_ values: UnsafePointer<Complex>, _ gates: UnsafePointer<Float>) -> Result
    ) -> Result {
        precondition(usedBins.contains(bin), "outer bins have no rows where nothing is strong")
        return values.withUnsafeBufferPointer { values in
            gates.withUnsafeBufferPointer { gates in
                let shift = ClusterField.row(bin, grid) * capacity - start
                return body(values.baseAddress! + shift, gates.baseAddress! + shift)
            }
        }
    }
}

extension UnsafeMutablePointer {
    fileprivate func slide(by dropped: Int, keeping kept: Int) { update(from: self + dropped, count: kept) }
}
