import Signal

/// The schedule of a search: the sound that it waits for, the sound that it still needs, and the starts of
/// its next block. It takes half a second at a time, counted from the first sample, whatever the chunks.
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
    /// The baseband samples after a block's last start that must be known.
    private let fieldAhead: Int
    private let basebandAhead: Int
    private let noiseAhead: Int

    /// - Parameters:
    ///   - fieldStart: the beginning of the field.
    ///   - patience: the number of samples for which the search waits beyond those that it reads.
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
        // The tracker reads this much to read a frame.
        basebandAhead =
            Tracker.reach(profile: profile).after + acquisition.burst.spanSamples
            + profile.band.samples(seconds: SearchSchedule.spareSeconds)
        noiseAhead = energy.reachSamples
    }

    var starts: Range<SamplePosition> { nextStart..<nextStart + blockSamples }

    /// Returns true if everything is there that the search of the next block reads.
    func isReady(fieldEnd: SamplePosition, basebandEnd: SamplePosition, noiseEnd: SamplePosition) -> Bool {
        let end = nextStart + blockSamples
        return fieldEnd > end + fieldAhead && basebandEnd > end + basebandAhead && noiseEnd > end + noiseAhead
    }

    mutating func advance() { nextStart += blockSamples }

    /// The samples before a start, and after it, that a field must have taken for a search of it: the last
    /// ones have no column until their block is full.
    var fieldReach: (before: Int, after: Int) { (farthestBehind, fieldAhead + transformSamples + 1) }

    /// The number of past samples of a field that are needed at once, with those that arrive meanwhile.
    var keptSamples: Int {
        farthestBehind + blockSamples + max(fieldAhead, basebandAhead, noiseAhead)
            + transformSamples
    }

    /// The same for the bins for strong frames; `nil` if the search reads none of them.
    var outerKeptSamples: Int? { readsOuterBins ? keptSamples : nil }

    /// The oldest column of a field that the search still reads, that of the bins for strong frames, and the
    /// oldest sample that is read about its starts.
    var oldestColumn: SamplePosition { nextStart - farthestBehind }
    var oldestOuterColumn: SamplePosition? { readsOuterBins ? oldestColumn : nil }
    var oldestSearched: SamplePosition { nextStart - lookbehind }

    /// The number of zeros that flush everything out at the end of a recording.
    var flushSamples: Int {
        max(fieldAhead, noiseAhead) + 3 * blockSamples
            + 2 * transformSamples
    }
}
