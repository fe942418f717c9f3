import Signal

/// The median of the powers of consecutive blocks, for spans that move on.
struct SpanMedian: Sendable {
    private var counted: Range<SamplePosition>
    private var running = RunningMedian()

    /// - Parameter start: the position of the first block.
    init(start: SamplePosition) { counted = start..<start }

    /// Returns the median of some blocks, which begin no earlier than those of the last call. `powers`: from
    /// block `first` on.
    mutating func median(
        of blocks: Range<SamplePosition>, in powers: [Float], from first: SamplePosition
    ) -> Float {
        if counted.upperBound <= blocks.lowerBound || counted.lowerBound < first {
            running.removeAll()
            counted = blocks.lowerBound..<blocks.lowerBound
        }
        for block in counted.upperBound..<blocks.upperBound { running.insert(powers[block - first]) }
        for block in counted.lowerBound..<blocks.lowerBound { running.remove(powers[block - first]) }
        counted = blocks
        return running.median()
    }
}
