import Signal

/// The sliding field of cluster correlations that acquisition searches: time × coarse Doppler bin. Blocks of
/// it are made on demand, as many blocks of steady noise are never asked for.
///
///     values   c(bin, t)                              complex
///     gates    Σ over a segment's clusters of |c|²    non-coherent, in units of the noise, clipped
///
/// Positions are absolute baseband samples; columns before `start` have been dropped.
package struct ClusterField: Sendable {
    let grid: SearchGrid
    private var core: ClusterRows
    /// The rows of the outer bins, used while a strong block is held. Their `end` is the core's.
    private var outer: ClusterRows?
    private var holdsOuter = false
    let extent: ClusterRows.Extent
    /// The number of past samples of outer bins that the caller needs at once; `nil` if it reads no outer
    /// bins.
    private let outerKeptSamples: Int?
    /// The blocks from `firstBlock` on, and the mean power of each, `(block, bin)`. The power is 0 in digital
    /// silence, which says nothing about the noise.
    private(set) var blocks: [Block] = []
    private(set) var levels: [Float] = []
    private(set) var parts: BlockParts
    /// True if blocks are made against the noise of their parts, which is right if the sound is never steady.
    /// If it was steady before, a strong frame makes the steps, and its own echoes must not count as the
    /// noise of its time.
    var followsSteps = true
    /// False for a short-lived field, whose rows may stand at any address. The last bits of a transform
    /// depend on its place.
    private var transformsInPlace = true
    private(set) var firstBlock: SamplePosition = 0
    /// The position at which block 0 begins: before the recording, so that its level does not count.
    let origin: SamplePosition
    private(set) var correlator: ClusterCorrelator
    /// The baseband that blocks are made of, from the oldest block's first sample on.
    private var samples: BasebandWindow

    private var strength = StrengthMeter()
    /// The end of the last strong block.
    private(set) var strongEnd = SamplePosition.min

    /// The greatest ratio to the mean with which a single column's power counts: impulses must not outweigh a
    /// frame.
    private static let clip: Float = 14
    /// The lengths of sound that make the noise level of a block. The level is the mean power of half a
    /// second up to the block's end, and at least that of the last few blocks, which are more if blocks are
    /// short. A cluster that straddles two blocks must have one scale.
    private static let levelSeconds = 0.56
    private static let newestSeconds = 0.1067
    private let levelBlocks: Int
    private let newestBlocks: Int

    /// Rows keep these columns beyond those needed, so that they move less often.
    private static let spareSeconds = 3.0
    /// Rows of outer bins, which are held while something is loud, keep these.
    private static let outerSpareSeconds = 1.0
    /// Their memory is given back when nothing has been loud for so many times what the caller keeps.
    private static let idleSpans = 3
    /// A field that serves one search keeps these.
    private static let briefSpareSeconds = 0.1067

    /// - Parameters:
    ///   - keptSamples: the number of past samples that the caller needs at once.
    ///   - outerKeptSamples: the same for the bins for strong frames; `nil` if the caller reads none of them.
    package init(grid: SearchGrid, keptSamples: Int, outerKeptSamples: Int?) {
        self.init(
            correlator: ClusterCorrelator(grid: grid), grid: grid, keptSamples: keptSamples,
            outerKeptSamples: outerKeptSamples)
    }

    init(
        correlator: ClusterCorrelator, grid: SearchGrid, keptSamples: Int, outerKeptSamples: Int?,
        spareSamples: Int? = nil
    ) {
        let band = grid.profile.band
        self.grid = grid
        self.correlator = correlator
        self.outerKeptSamples = outerKeptSamples
        levelBlocks = (band.samples(seconds: ClusterField.levelSeconds) + correlator.hop / 2) / correlator.hop
        newestBlocks = max(1, band.samples(seconds: ClusterField.newestSeconds) / correlator.hop)
        parts = BlockParts(hop: correlator.hop, band: band, reachSamples: grid.templateCount)
        origin = ClusterField.origin(correlator)
        samples = BasebandWindow(start: origin, silence: correlator.hop)
        extent = ClusterRows.Extent(
            keptSamples: keptSamples,
            spareSamples: spareSamples ?? band.samples(seconds: ClusterField.spareSeconds),
            transformCount: correlator.transformCount, hop: correlator.hop)
        core = ClusterRows(rowCount: grid.coreBins.count, extent: extent, start: origin)
    }

    /// Returns an empty field of the same kind, for other sound, which holds at least `keptSamples`.
    func renewed(keptSamples: Int) -> ClusterField {
        var field = ClusterField(
            correlator: correlator, grid: grid, keptSamples: keptSamples,
            outerKeptSamples: outerKeptSamples.map { _ in keptSamples },
            spareSamples: grid.profile.band.samples(seconds: ClusterField.briefSpareSeconds))
        field.transformsInPlace = false
        return field
    }

    /// Forgets all sound, but keeps the memory.
    mutating func restart() {
        core.restart(at: origin)
        holdsOuter = false
        blocks.removeAll(keepingCapacity: true)
        levels.removeAll(keepingCapacity: true)
        parts.removeAll()
        samples = BasebandWindow(start: origin, silence: correlator.hop)
        (strength, strongEnd, firstBlock) = (StrengthMeter(), origin, 0)
    }

    /// Returns the position of a field's first column. A field begins with a block of silence, as searches
    /// look back, and a frame may begin with the recording.
    static func origin(_ correlator: ClusterCorrelator) -> SamplePosition { SamplePosition(-correlator.hop) }

    var start: SamplePosition { core.start }
    private var outerStart: SamplePosition? { holdsOuter ? outer!.start : nil }
    package var end: SamplePosition { core.end }

    /// Returns the beginning of a bin's row. Outer bins have a row while a strong block is held.
    func start(ofBin bin: Int) -> SamplePosition {
        grid.coreBins.contains(bin) ? core.start : outerStart ?? core.end
    }

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout ClusterField) { swap(&correlator, &other.correlator) }

    /// Adds baseband samples; the first ever stands at position 0.
    package mutating func append(_ fresh: ArraySlice<Complex>) {
        samples.append(fresh)
        while samples.end - end >= correlator.transformCount { takeUpBlock() }
    }

    private mutating func takeUpBlock() {
        let first = end - samples.start
        let isStrong = strength.isStrong(samples.samples[first..<first + correlator.hop])
        if isStrong { holdOuter() }
        core.extend(blocks[index(core.start)...])
        if let start = outerStart { outer!.extend(blocks[index(start)...]) }
        blocks.append(Block(isStrong: isStrong))
        levels.append(contentsOf: repeatElement(0, count: grid.binCount))
        parts.append()
    }

    /// Makes the columns of a range that have not been made, as far as the field goes.
    mutating func make(_ columns: Range<SamplePosition>, _ bins: Bins = .all) {
        for block in blocks(columns) where blocks[block - firstBlock].values < bins {
            makeValues(block, bins)
        }
    }

    /// Makes the gates of a range, and all columns that they sum.
    mutating func makeGates(_ starts: Range<SamplePosition>, _ bins: Bins = .all) {
        for block in blocks(starts) {
            let (first, known) = (position(block), blocks[block - firstBlock])
            let count = min(correlator.hop, gateEnd - first)
            guard count > known.gateCount || bins > known.gates else { continue }
            make(first..<first + count + grid.segmentSpanSamples, max(bins, known.gates))
            makeGates(block, count, max(bins, known.gates))
        }
    }

    /// Returns the index, among the blocks held, of the block that begins at `position`.
    private func index(_ position: SamplePosition) -> Int {
        position.since(origin) / correlator.hop - firstBlock
    }

    private func position(_ block: SamplePosition) -> SamplePosition {
        (block * correlator.hop).after(origin)
    }

    /// Returns the blocks of a range that are held.
    private func blocks(_ columns: Range<SamplePosition>) -> Range<SamplePosition> {
        let first = max(columns.lowerBound, start).since(origin) / correlator.hop
        let last = (min(columns.upperBound, end).since(origin) + correlator.hop - 1) / correlator.hop
        return first..<max(first, last)
    }

    private mutating func makeValues(_ block: SamplePosition, _ bins: Bins) {
        let (grid, position) = (grid, position(block))
        let index = block - firstBlock
        let known = blocks[index].values
        let isLast = index + 1 == blocks.count
        let mayRunOver = transformsInPlace && (isLast || !blocks[index + 1].hasValues)
        samples.samples.withUnsafeBufferPointer {
            let first = $0.baseAddress! + (position - samples.start)
            correlator.take(first)
            if followsSteps { parts.measure(index, first) }
        }
        for bin in 0..<grid.binCount where isOne(bin, of: bins) && !isOne(bin, of: known) {
            let isCore = grid.coreBins.contains(bin)
            // Outer rows may begin later.
            guard isCore || outerStart.map({ $0 <= position }) == true else { continue }
            let row = ClusterField.row(bin, grid)
            let power =
                isCore
                ? core.setBlock(row, at: position, bin: bin, from: &correlator, mayRunOver: mayRunOver)
                : outer!.setBlock(
                    row, at: position, bin: blocks[index].isStrong ? bin : nil, from: &correlator,
                    mayRunOver: mayRunOver)
            levels[index * grid.binCount + bin] = block > 0 ? power : 0
            // Where a strong frame begins, the past says too little about the noise.
            let noise = max(
                level(bin, index - levelBlocks + 1...index), level(bin, index - newestBlocks + 1...index))
            scale(bin, index, noise: noise, own: power)
        }
        blocks[index].values = bins
    }

    /// Scales the powers of a block to units of the noise. If the sound gets louder or quieter within the
    /// block, each part is scaled by its own noise.
    private mutating func scale(_ bin: Int, _ index: Int, noise: Float, own: Float) {
        let (row, position) = (ClusterField.row(bin, grid), position(firstBlock + index))
        let hasSteps = parts.haveSteps(index..<index + 1)
        let count = hasSteps ? parts.sampleCount : correlator.hop
        for part in 0..<(hasSteps ? parts.perBlock : 1) {
            let level = hasSteps ? max(noise, own * parts.share(index * parts.perBlock + part)) : noise
            let scale = level > Kernels.leastPower ? 1 / level : 0
            let columns = position + part * count..<position + (part + 1) * count
            if grid.coreBins.contains(bin) {
                core.scale(row, columns, by: scale, ceiling: ClusterField.clip)
            } else {
                outer!.scale(row, columns, by: scale, ceiling: ClusterField.clip)
            }
        }
    }

    private mutating func makeGates(_ block: SamplePosition, _ count: Int, _ bins: Bins) {
        let (grid, state) = (grid, blocks[block - firstBlock])
        for bin in 0..<grid.binCount where isOne(bin, of: bins) {
            let isCore = grid.coreBins.contains(bin)
            let known = (isCore ? isOne(bin, of: state.gates) : bins <= state.gates) ? state.gateCount : 0
            let position = position(block) + known
            guard known < count, isCore || outerStart.map({ $0 <= position }) == true else { continue }
            let row = ClusterField.row(bin, grid)
            grid.withGateOffsets(bin: bin) {
                if isCore {
                    core.setGates(row, at: position, count - known, offsets: $0)
                } else {
                    outer!.setGates(row, at: position, count - known, offsets: $0)
                }
            }
        }
        blocks[block - firstBlock].gateCount = count
        blocks[block - firstBlock].gates = bins
    }

    /// Returns the row of a bin, among the core bins or among the outer ones.
    private static func row(_ bin: Int, _ grid: SearchGrid) -> Int {
        let core = grid.coreBins
        return core.contains(bin) ? bin - core.lowerBound : bin < core.lowerBound ? bin : bin - core.count
    }

    /// Makes rows for the outer bins, of zeros so far. The next block is strong; the rows stay until it is
    /// forgotten.
    private mutating func holdOuter() {
        strongEnd = end + correlator.hop
        guard !holdsOuter, let outerKeptSamples else { return }
        var extent = extent
        extent.keptSamples = outerKeptSamples
        extent.spareSamples = grid.profile.band.samples(seconds: ClusterField.outerSpareSeconds)
        let count = min(core.count, outerKeptSamples) / correlator.hop * correlator.hop
        holdsOuter = true
        let rowCount = grid.binCount - grid.coreBins.count
        if outer == nil { outer = ClusterRows(rowCount: rowCount, extent: extent, start: end) }
        outer!.restart(at: end - count, count: count)
        outer!.drop(before: core.needed)
    }

    /// Drops the columns before `position`, and those of outer bins before `outerPosition`, if any is read.
    package mutating func drop(before position: SamplePosition, outer outerPosition: SamplePosition?) {
        core.drop(before: position)
        if holdsOuter, let outerPosition { outer!.drop(before: outerPosition) }
        if let rows = outer, strongEnd <= rows.needed { holdsOuter = false }
        let idleSamples = ClusterField.idleSpans * extent.keptSamples
        if outer != nil, !holdsOuter, strongEnd < end - idleSamples { outer = nil }
        // Blocks before the oldest column stay if their levels serve later blocks.
        let oldest = min(start, outerStart ?? start).since(origin) / correlator.hop - levelBlocks
        let dropped = min(oldest - firstBlock, blocks.count)
        guard dropped > levelBlocks else { return }
        blocks.removeFirst(dropped)
        levels.removeFirst(dropped * grid.binCount)
        parts.removeFirst(dropped)
        firstBlock += dropped
        samples.drop(before: self.position(firstBlock))
    }

    /// Calls `body` with a bin's values and gates. An outer bin has a row while ``strongEnd`` is after the
    /// dropped columns of outer bins.
    @inline(__always)
    func withBin<Result>(
        _ bin: Int, _ body: (_ values: ClusterRows.Row<Complex>, _ gates: ClusterRows.Row<Float>) -> Result
    ) -> Result {
        let row = ClusterField.row(bin, grid)
        if grid.coreBins.contains(bin) { return core.withRow(row, body) }
        precondition(holdsOuter, "outer bins have no rows where nothing is strong")
        return outer!.withRow(row, body)
    }
}
