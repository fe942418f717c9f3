import Signal

/// Baseband as it comes from the decimator, and where it is loud: a frame that stands well over the noise can be
/// reported when it ends, and listening to noise costs no more for it.
///
///     ▁▂▁▁▂▁▁▆▇▆▇▇▆▇▇▆▁▂▁▁▂▁▁
///          |   a passage  |         a block before, two after
struct LoudPassage: Sendable {
    /// What a piece of baseband means.
    enum Event: Sendable {
        case quiet
        /// The passage began at this sample.
        case began(Int)
        case goesOn
        case ended
    }

    /// Samples whose power is judged at once, counted from the first.
    private static let blockSamples = 240
    /// Blocks that a passage goes on after the last loud one: what a frame's last echoes take.
    private static let blocksAfter = 2
    private static let leastDrop = 4800

    private(set) var baseband = BasebandWindow()
    private let keptSamples: Int
    private var loudness = Loudness()
    private var blocksLeft = 0

    /// - Parameter keptSamples: how much of the past is read, the longest frame and its surroundings.
    init(keptSamples: Int) { self.keptSamples = keptSamples }

    /// Takes a piece of baseband; pieces are as long as one another, some to a block.
    mutating func append(_ fresh: ArraySlice<Complex>) -> Event {
        baseband.append(fresh)
        guard baseband.end % LoudPassage.blockSamples == 0 else { return blocksLeft > 0 ? .goesOn : .quiet }
        if baseband.samples.count > keptSamples + LoudPassage.leastDrop {
            baseband.drop(before: baseband.end - keptSamples)
        }
        let wasLoud = blocksLeft > 0
        if loudness.isLoud(baseband.samples(from: baseband.end - LoudPassage.blockSamples)) {
            blocksLeft = LoudPassage.blocksAfter
            return wasLoud
                ? .goesOn : .began(max(baseband.end - 2 * LoudPassage.blockSamples, baseband.start))
        }
        blocksLeft = max(blocksLeft - 1, 0)
        return wasLoud ? (blocksLeft > 0 ? .goesOn : .ended) : .quiet
    }
}
