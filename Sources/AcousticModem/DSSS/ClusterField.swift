import Signal

/// The sliding field of cluster correlations that acquisition searches: time × coarse Doppler bin.
///
///     values   c(bin, t)                              complex
///     gates    Σ over a segment's clusters of |c|²    non-coherent, in units of the noise, clipped
///
/// Positions are absolute baseband samples; what lies before `start` has been dropped.
package struct ClusterField: Sendable {
    let grid: SearchGrid
    private var core: ClusterRows
    /// Rows of the outer bins, while a strong block is held: only then they are used. Their `end` is the core's.
    private var outer: ClusterRows?
    private let extent: ClusterRows.Extent
    /// How much of the past of outer bins the caller needs at once; nil: it reads none of them.
    private let outerKeptSamples: Int?
    /// Mean power of each block of `hop` columns, `(block, bin)`; the first block is `firstBlock`.
    private var levels: [Float] = []
    private var levelBlockCount = 0
    private var firstBlock = 0
    /// Sums of the levels before each block, and how many of them were not 0. `(block, bin)`, one more than of levels.
    private var levelSums: [Double]
    private var levelCounts: [Int32]
    /// Where block 0 begins: before the recording, so that its level does not count.
    private let origin: Int
    private var correlator: ClusterCorrelator
    private var pending: [Complex]

    private var strength = StrengthMeter()
    /// Where the last strong block ended.
    private(set) var strongEnd = Int.min

    /// A single column's power counts at most this many times the mean: impulses must not outweigh a frame.
    private static let clip: Float = 14
    /// Samples whose mean is the noise level of the newest block, half a second; and at least that of the last few,
    /// which short blocks have more of: a cluster that straddles two must have one scale.
    private static let levelSamples = 1344
    private static let newestSamples = 256
    private let levelBlocks: Int
    private let newestBlocks: Int

    /// Columns that are kept beyond those needed, so that they are moved less often.
    private static let leastSpare = 1536
    /// Of outer bins, which are seldom held.
    private static let outerSpare = 256

    /// - Parameters:
    ///   - keptSamples: how much of the past the caller needs at once.
    ///   - outerKeptSamples: of the bins for strong frames; nil: it reads none of them.
    package init(grid: SearchGrid, keptSamples: Int, outerKeptSamples: Int?) {
        self.init(
            correlator: ClusterCorrelator(grid: grid), grid: grid, keptSamples: keptSamples,
            outerKeptSamples: outerKeptSamples)
    }

    init(
        correlator: ClusterCorrelator, grid: SearchGrid, keptSamples: Int, outerKeptSamples: Int?,
        spareSamples: Int? = nil
    ) {
        self.grid = grid
        self.correlator = correlator
        self.outerKeptSamples = outerKeptSamples
        levelBlocks = (ClusterField.levelSamples + correlator.hop / 2) / correlator.hop
        newestBlocks = max(1, ClusterField.newestSamples / correlator.hop)
        pending = [Complex](repeating: .zero, count: correlator.hop)
        origin = ClusterField.origin(correlator)
        extent = ClusterRows.Extent(
            keptSamples: keptSamples,
            spareSamples: spareSamples ?? max(ClusterField.leastSpare, keptSamples / 2),
            transformCount: correlator.transformCount, hop: correlator.hop,
            segmentSpanSamples: grid.segmentSpanSamples)
        core = ClusterRows(rowCount: grid.coreBins.count, extent: extent, start: origin)
        levelSums = [Double](repeating: 0, count: grid.binCount)
        levelCounts = [Int32](repeating: 0, count: grid.binCount)
    }

    /// Where a field's first column stands: a block of silence first, as searches look back, and a frame may begin with the
    /// recording.
    static func origin(_ correlator: ClusterCorrelator) -> Int { -correlator.hop }

    var start: Int { core.start }
    package var end: Int { core.end }
    /// Position after the last column with a gate value.
    var gateEnd: Int { core.gateEnd }

    /// Where a bin's row begins. Outer bins have one where something strong is held.
    func start(ofBin bin: Int) -> Int {
        grid.coreBins.contains(bin) ? core.start : outer?.start ?? core.end
    }

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
        let grid = grid
        let isStrong = strength.isStrong(pending[offset..<offset + correlator.hop])
        if isStrong { holdOuter() }
        core.makeRoom()
        outer?.makeRoom()
        pending.withUnsafeBufferPointer { correlator.take($0.baseAddress! + offset) }
        let oldLevels = levelBlockCount
        let isBeforeRecording = end < 0
        for bin in 0..<grid.binCount {
            let isCore = grid.coreBins.contains(bin)
            guard isCore || outer != nil else {
                levels.append(0)
                continue
            }
            let row = ClusterField.row(bin, grid)
            let power =
                isCore
                ? core.appendBlock(row, bin: bin, from: &correlator)
                : outer!.appendBlock(row, bin: isStrong ? bin : nil, from: &correlator)
            levels.append(isBeforeRecording ? 0 : power)
            // Where a strong frame sets in, the past says too little of the noise.
            let noise = max(
                level(bin, last: levelBlocks, upTo: oldLevels),
                level(bin, last: newestBlocks, upTo: oldLevels))
            let scale = noise > 0 ? 1 / noise : 0
            if isCore {
                core.scaleBlock(row, by: scale, ceiling: ClusterField.clip)
            } else {
                outer!.scaleBlock(row, by: scale, ceiling: ClusterField.clip)
            }
        }
        addLevels()
        core.advance(grid) { grid.coreBins.lowerBound + $0 }
        outer?.advance(grid) { $0 < grid.coreBins.lowerBound ? $0 : $0 + grid.coreBins.count }
    }

    /// Adds the newest block's levels up.
    private mutating func addLevels() {
        for place in levels.count - grid.binCount..<levels.count {
            levelSums.append(levelSums[place] + Double(levels[place]))
            levelCounts.append(levelCounts[place] + (levels[place] > 0 ? 1 : 0))
        }
        levelBlockCount += 1
    }

    /// Forgets the oldest blocks' levels, also in the sums: what was loud must not round off what is quiet.
    private mutating func dropLevels(blocks: Int) {
        let (bins, dropped) = (grid.binCount, blocks * grid.binCount)
        for place in (dropped..<levelSums.count).reversed() {
            levelSums[place] -= levelSums[dropped + place % bins]
        }
        levels.removeFirst(dropped)
        levelSums.removeFirst(dropped)
        levelCounts.removeFirst(dropped)
        firstBlock += blocks
        levelBlockCount -= blocks
    }

    /// Of a bin, among the core ones or among the others.
    private static func row(_ bin: Int, _ grid: SearchGrid) -> Int {
        let core = grid.coreBins
        return core.contains(bin) ? bin - core.lowerBound : bin < core.lowerBound ? bin : bin - core.count
    }

    /// The next block is strong: outer bins have rows until it is forgotten, of zeros so far.
    private mutating func holdOuter() {
        strongEnd = end + correlator.hop
        guard outer == nil, let outerKeptSamples else { return }
        var extent = extent
        (extent.keptSamples, extent.spareSamples) = (outerKeptSamples, ClusterField.outerSpare)
        let count = min(core.count, outerKeptSamples & ~3)
        outer = ClusterRows(
            rowCount: grid.binCount - grid.coreBins.count, extent: extent, start: end - count, count: count,
            gateCount: max(gateEnd - (end - count), 0))
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

    /// The columns before `position` are needed no more, nor are those of outer bins before `outerPosition`, if any is read.
    package mutating func drop(before position: Int, outer outerPosition: Int?) {
        core.drop(before: position)
        if let outerPosition { outer?.drop(before: outerPosition) }
        if let rows = outer, strongEnd <= rows.needed { outer = nil }
        let oldBlocks = min(
            start / correlator.hop - firstBlock, levelBlockCount - levelBlocks)
        if oldBlocks > 0 { dropLevels(blocks: oldBlocks) }
    }

    /// Mean power of a bin over `span` columns from `position`: the noise level of a hypothesis there. The frame's
    /// own data chips are part of it, being noise to every wrong hypothesis.
    func level(bin: Int, from position: Int, span: Int) -> Float {
        let hop = correlator.hop
        let first = max((position - origin) / hop - firstBlock, 0)
        let last = min((position + span - origin) / hop - firstBlock, levelBlockCount - 1)
        guard first <= last else { return 0 }
        let (from, to) = (first * grid.binCount + bin, (last + 1) * grid.binCount + bin)
        return levelSums.withUnsafeBufferPointer { sums in
            levelCounts.withUnsafeBufferPointer { counts in
                let blocks = counts[to] - counts[from]
                return blocks > 0 ? Float((sums[to] - sums[from]) / Double(blocks)) : 0
            }
        }
    }

    /// The first position after `position` whose level over `span` may be another.
    func levelChange(after position: Int, span: Int) -> Int {
        func blockEnd(_ column: Int) -> Int {
            column < origin ? origin : origin + ((column - origin) / correlator.hop + 1) * correlator.hop
        }
        return min(blockEnd(position), blockEnd(position + span) - span)
    }

    /// Calls `body` with pointers to a bin's values and gates, indexed by absolute position. An outer bin is there while
    /// ``strongEnd`` is after what was dropped of them.
    @inline(__always)
    func withBin<Result>(
        _ bin: Int, _ body: (_ values: UnsafePointer<Complex>, _ gates: UnsafePointer<Float>) -> Result
    ) -> Result {
        let row = ClusterField.row(bin, grid)
        if grid.coreBins.contains(bin) { return core.withRow(row, body) }
        precondition(outer != nil, "outer bins have no rows where nothing is strong")
        return outer!.withRow(row, body)
    }
}
