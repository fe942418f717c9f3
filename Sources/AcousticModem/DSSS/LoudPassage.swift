import Signal

/// The baseband as it comes from the decimator, with a detector of loud passages. A frame that stands well
/// over the noise can be reported when it ends, and listening to noise costs no more for it.
///
///     ▁▂▁▁▂▁▁▆▇▆▇▇▆▇▇▆▁▂▁▁▂▁▁
///          |   a passage  |         a block before, two after
struct LoudPassage: Sendable {
    /// The meaning of a piece of baseband.
    enum Event: Sendable {
        case quiet
        /// The passage began at this sample.
        case began(SamplePosition)
        case goesOn
        case ended
    }

    /// The number of samples whose power is judged at once, counted from the first: two blocks of ``levels``.
    private let blockSamples: Int
    private static let blockSeconds = 0.1
    private static let levelsPerBlock = 2
    /// The number of blocks for which a passage goes on after the last loud one: the time of a frame's last
    /// echoes.
    private static let blocksAfter = 2
    private let leastDrop: Int
    private static let dropSeconds = 4.0

    private(set) var baseband = BasebandWindow()
    /// The power of the baseband so far, in blocks of ``levelSamples``, counted from the first sample.
    private(set) var levels = SteadyNoise(variance: 0)
    var levelSamples: Int { blockSamples / LoudPassage.levelsPerBlock }
    private let keptSamples: Int
    private var loudness = Loudness()
    private var blocksLeft = 0

    /// - Parameter keptSamples: the number of past samples that are read: the longest frame and its
    ///   surroundings.
    init(_ band: Band, keptSamples: Int) {
        self.keptSamples = keptSamples
        blockSamples = band.samples(seconds: LoudPassage.blockSeconds)
        leastDrop = band.samples(seconds: LoudPassage.dropSeconds)
    }

    /// Takes a piece of baseband. All pieces have the same length, of which a block is a multiple.
    mutating func append(_ fresh: ArraySlice<Complex>) -> Event {
        baseband.append(fresh)
        guard baseband.end % blockSamples == 0 else { return blocksLeft > 0 ? .goesOn : .quiet }
        if baseband.samples.count > keptSamples + leastDrop {
            baseband.drop(before: baseband.end - keptSamples)
            levels.drop(before: baseband.start / levelSamples)
        }
        let wasLoud = blocksLeft > 0
        if loudness.isLoud(measure()) {
            blocksLeft = LoudPassage.blocksAfter
            return wasLoud
                ? .goesOn : .began(max(baseband.end - 2 * blockSamples, baseband.start))
        }
        blocksLeft = max(blocksLeft - 1, 0)
        return wasLoud ? (blocksLeft > 0 ? .goesOn : .ended) : .quiet
    }

    /// Measures and returns the mean power of the last block.
    private mutating func measure() -> Float {
        var sum: Float = 0
        for part in (1...LoudPassage.levelsPerBlock).reversed() {
            let first = baseband.end - part * levelSamples
            let power = Kernels.energy(baseband.samples(from: first).prefix(levelSamples))
            levels.append(power)
            sum += power
        }
        return sum / Float(blockSamples)
    }
}
