import Signal

/// What a search of starts waits for and still needs, and where it goes on: half a second at a time, counted from the first sample,
/// whatever the chunks.
///
///     ··· farthestBehind |·· lookbehind |   starts   | ahead: field, baseband, noise ···
///                                       ^ nextStart
struct SearchSchedule: Sendable {
    private(set) var nextStart: SamplePosition
    private let blockSamples: Int
    private let transformSamples: Int
    private static let spareSeconds = 0.1067
    let lookbehind: Int
    private let farthestBehind: Int
    private let readsOuterBins: Bool
    /// After a block's last start, baseband samples.
    private let fieldAhead: Int
    private let basebandAhead: Int
    private let noiseAhead: Int

    /// - Parameters:
    ///   - fieldStart: where the field begins.
    ///   - patience: samples that it waits beyond what it reads.
    init(
        _ acquisition: Acquisition, _ energy: FrameEnergy, fieldStart: SamplePosition, patience: Int
    ) {
        let profile = acquisition.grid.profile
        blockSamples = acquisition.grid.searchedStarts
        transformSamples = ClusterCorrelator.BlockLength.long.transformCount(profile.band)
        nextStart = fieldStart + acquisition.lookbehind
        (lookbehind, farthestBehind) = (acquisition.lookbehind, acquisition.farthestBehind)
        readsOuterBins = acquisition.readsOuterBins
        fieldAhead = acquisition.lookahead + patience
        // What reading a frame takes.
        basebandAhead =
            Tracker.reach(profile: profile).after + acquisition.burst.spanSamples
            + profile.band.samples(seconds: SearchSchedule.spareSeconds)
        noiseAhead = energy.reachSamples
    }

    var starts: Range<SamplePosition> { nextStart..<nextStart + blockSamples }

    /// Whether all is there that the search of the next block reads.
    func isReady(fieldEnd: SamplePosition, basebandEnd: SamplePosition, noiseEnd: SamplePosition) -> Bool {
        let end = nextStart + blockSamples
        return fieldEnd > end + fieldAhead && basebandEnd > end + basebandAhead && noiseEnd > end + noiseAhead
    }

    mutating func advance() { nextStart += blockSamples }

    /// How much of the past of a field it needs at once, with what arrives meanwhile.
    var keptSamples: Int {
        farthestBehind + blockSamples + max(fieldAhead, basebandAhead, noiseAhead)
            + transformSamples
    }

    /// The same of the bins for strong frames; nil: it reads none of them.
    var outerKeptSamples: Int? { readsOuterBins ? keptSamples : nil }

    /// The oldest column of a field that the search still reads, and of the bins for strong frames; and the oldest about its starts.
    var oldestColumn: SamplePosition { nextStart - farthestBehind }
    var oldestOuterColumn: SamplePosition? { readsOuterBins ? oldestColumn : nil }
    var oldestSearched: SamplePosition { nextStart - lookbehind }

    /// Zeros that flush everything out at the end of a recording.
    var flushSamples: Int {
        max(fieldAhead, noiseAhead) + 3 * blockSamples
            + 2 * transformSamples
    }
}
