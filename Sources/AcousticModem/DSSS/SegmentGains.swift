import Signal

/// The gains of ``BurstGrid/noiseGains(_:_:bin:group:_:)`` at one position after another. It computes them
/// only where a level changes, as levels are those of whole blocks.
struct SegmentGains {
    let bin: Int
    let group: Int
    private(set) var values = InlineArray<4, Float>(repeating: 0)
    /// The positions, those of the first segment, at which each segment's level changes next, and the first
    /// of them.
    private var changes = InlineArray<4, SamplePosition>(repeating: .min)
    private var nextChange = SamplePosition.min

    init(bin: Int, group: Int) { (self.bin, self.group) = (bin, group) }

    @inline(__always)
    mutating func move(
        to position: SamplePosition, _ field: ClusterField, _ grid: SearchGrid, _ burst: BurstGrid
    ) {
        if position >= nextChange { change(position, field, grid, burst) }
    }

    @inline(never)
    private mutating func change(
        _ position: SamplePosition, _ field: ClusterField, _ grid: SearchGrid, _ burst: BurstGrid
    ) {
        nextChange = .max
        for segment in 0..<burst.plan.segmentCount {
            if position >= changes[segment] {
                let offset = burst.segmentOffset(bin: bin, group: group, segment: segment)
                let (level, change) = field.levelAndChange(
                    bin: bin, from: position + offset, span: grid.segmentSpanSamples)
                values[segment] = level > Kernels.leastPower ? 1 / (level * Float(grid.clusterCount)) : 0
                changes[segment] = change - offset
            }
            nextChange = min(nextChange, changes[segment])
        }
    }
}
