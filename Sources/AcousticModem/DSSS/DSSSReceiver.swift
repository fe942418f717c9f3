import Signal

/// Cluster correlations → reports for one profile: what is searched when, a block of starts at a time, and the ends of loud
/// passages at once.
///
///     ClusterField ─▶ Acquisition ─ candidates ─▶ CandidateReader ─▶ DecodeReport
///                  PromptSearch ─────────────────────▲
struct DSSSReceiver: Sendable {
    /// Starts searched at once: half a second, counted from the first sample, whatever the chunks.
    private static let blockSamples = Acquisition.mostStarts
    /// Candidates of a place that are glanced at as soon as a frame may have ended.
    private static let promptAttempts = 2

    let profile: DSSSProfile
    /// Single frames first: repeats are for what they do not decode. With where each search goes on.
    private var searches: [(acquisition: Acquisition, nextStart: Int)]
    /// Of the last search.
    private var candidates: [Candidate] = []
    private static let usualCandidates = 32
    private var reader: CandidateReader
    /// Frames that are reported as soon as they end.
    private var prompt: PromptSearch

    /// - Parameter fieldStart: where the field of correlations that it is given begins.
    init(grid: SearchGrid, fieldStart: Int, observer: (any ReceiverObserver)? = nil) {
        profile = grid.profile
        var plans = [BurstPlan.frame(of: profile)]
        if profile.segmentCount == 1 { plans.append(.repeats(2, of: profile)) }
        candidates.reserveCapacity(DSSSReceiver.usualCandidates)
        searches = plans.map {
            let acquisition = Acquisition(plan: $0, grid: grid)
            return (acquisition, fieldStart + acquisition.lookbehind)
        }
        prompt = PromptSearch(burst: searches[0].acquisition.burst, grid: grid)
        reader = CandidateReader(grid: grid, observer: observer)
    }

    var statistics: ReceiverStatistics { reader.statistics }

    /// Samples that a search waits beyond what it reads: repeats, until single frames are settled.
    private static func patience(_ index: Int) -> Int { index == 0 ? 0 : blockSamples }

    /// Baseband samples after a start that reading its frame takes.
    private static func basebandAhead(_ profile: DSSSProfile, _ acquisition: Acquisition) -> Int {
        Tracker.reach(profile: profile).after + acquisition.burst.spanSamples + 256
    }

    /// How much of the past of a field it needs at once, with what arrives meanwhile.
    var keptSamples: Int { searches.indices.lazy.map { keptSamples(of: $0) }.max()! }
    /// The same of the bins for strong frames, which single frames alone are sought in; nil: it reads none of them.
    var outerKeptSamples: Int? { searches[0].acquisition.readsOuterBins ? keptSamples(of: 0) : nil }

    private func keptSamples(of index: Int) -> Int {
        let acquisition = searches[index].acquisition
        let ahead = max(
            acquisition.lookahead + DSSSReceiver.patience(index),
            DSSSReceiver.basebandAhead(profile, acquisition))
        return acquisition.farthestBehind + DSSSReceiver.blockSamples + ahead
            + ClusterCorrelator.BlockLength.long.rawValue
    }

    /// The oldest column of a field that a search still reads, and of the bins for strong frames, if it reads them.
    var oldestColumn: Int { searches.indices.lazy.map { oldestColumn(of: $0) }.min()! }
    var oldestOuterColumn: Int? { searches[0].acquisition.readsOuterBins ? oldestColumn(of: 0) : nil }

    private func oldestColumn(of index: Int) -> Int {
        searches[index].nextStart - searches[index].acquisition.farthestBehind
    }

    /// Zeros that flush everything out at the end of a recording.
    var flushSamples: Int {
        searches.lazy.map { $0.acquisition.lookahead }.max()! + 3 * DSSSReceiver.blockSamples
            + 2 * ClusterCorrelator.BlockLength.long.rawValue
    }

    /// Of a loud passage, how much of the past is read.
    var passageSamples: Int { PromptSearch.keptSamples(profile, searches[0].acquisition.burst) }

    /// The oldest baseband sample still needed.
    var oldestNeeded: Int { oldestSearched - Tracker.reach(profile: profile).before }

    /// The oldest that a search still reads about its starts.
    private var oldestSearched: Int {
        searches.indices.lazy.map { searches[$0].nextStart - searches[$0].acquisition.lookbehind }.min()!
    }

    /// Searches what has become ready of a field; `baseband` must hold what it was made of from ``oldestNeeded`` on. The same
    /// quanta on any input.
    mutating func search(_ field: ClusterField, _ baseband: BasebandWindow) -> [DecodeReport] {
        for index in searches.indices {
            while true {
                let starts = searches[index].nextStart..<searches[index].nextStart + DSSSReceiver.blockSamples
                let patience = DSSSReceiver.patience(index)
                guard field.end > starts.upperBound + searches[index].acquisition.lookahead + patience,
                    baseband.end > starts.upperBound
                        + DSSSReceiver.basebandAhead(profile, searches[index].acquisition)
                else { break }
                if index == 0 {
                    reader.refill(seconds: Double(starts.count) / BandDecimator.outputRateHz)
                }
                searches[index].acquisition.search(
                    field, starts: starts, into: &candidates, statistics: &reader.statistics)
                reader.read(
                    candidates, searches[index].acquisition.burst.plan, baseband,
                    horizon: starts.upperBound + searches[index].acquisition.lookbehind)
                searches[index].nextStart = starts.upperBound
            }
        }
        // A frame stays open for better hypotheses until every search has passed its neighbourhood.
        let searched = Double(searches[0].nextStart)
        let reports = reader.settle(before: searched - 2 * reader.neighbourhood)
        reader.forget(before: Double(oldestSearched) - 2 * reader.neighbourhood)
        return reports
    }

    /// Takes the end of a loud passage. Returns the frames that ended in it and are beyond doubt.
    ///
    /// - Parameter fresh: what came since the last call; with the first, all of the passage.
    mutating func hearPromptly(_ passage: LoudPassage, _ fresh: ArraySlice<Complex>) -> [DecodeReport] {
        let plan = searches[0].acquisition.burst.plan
        prompt.append(fresh, at: passage.baseband.end - fresh.count)
        var hasHeard = false
        while let starts = prompt.nextDue(passage.baseband.end) {
            if reader.isClaimed(near: Double(starts.lowerBound + starts.count / 2)) { continue }
            var uncounted = ReceiverStatistics()  // the search of all starts counts them
            prompt.search(starts, &searches[0].acquisition, into: &candidates, &uncounted)
            for candidate in candidates.prefix(DSSSReceiver.promptAttempts) {
                hasHeard = reader.readPromptly(candidate, plan, passage.baseband) || hasHeard
            }
        }
        return hasHeard ? reader.settle(before: -.infinity) : []
    }

    /// The passage is over.
    mutating func endPassage() { prompt.end() }
}
