import Signal

/// Cluster correlations → reports for one profile: what is searched when, a block of starts at a time, and the ends of loud
/// passages at once.
///
///     ClusterField ─▶ Acquisition ─ candidates ─▶ CandidateReader ─▶ DecodeReport
///                  PromptSearch ─────────────────────▲
struct DSSSReceiver: Sendable {
    /// Candidates of a place that are glanced at as soon as a frame may have ended.
    private static let promptAttempts = 2

    let profile: DSSSProfile
    /// Single frames first: repeats are for what they do not decode. What is asked for all the time stands by itself, as it is small.
    private var acquisitions: [Acquisition]
    private let energies: [FrameEnergy]
    private let energyBlock: EnergyBlock
    private var schedules: [SearchSchedule]
    /// Where faint frames are heard, all starts are searched for a minute: between those that follow one another noise is not to be
    /// heard.
    private var attentiveEnd = SamplePosition.min
    private static let attentiveSeconds = 60.0
    private let attentiveSamples: Int
    /// Of the last search.
    private var openStarts: [OpenStarts] = []
    private var candidates: [Candidate] = []
    private static let usualCandidates = 32
    private var reader: CandidateReader
    /// Frames that are reported as soon as they end.
    private var prompt: PromptSearch

    /// - Parameter fieldStart: where the field of correlations that it is given begins.
    init(grid: SearchGrid, fieldStart: SamplePosition, observer: (any ReceiverObserver)? = nil) {
        let profile = grid.profile
        self.profile = profile
        energyBlock = EnergyBlock(band: profile.band)
        attentiveSamples = profile.band.samples(seconds: DSSSReceiver.attentiveSeconds)
        var plans = [BurstPlan.frame(of: profile)]
        if profile.segmentCount == 1 { plans.append(.repeats(2, of: profile)) }
        openStarts.reserveCapacity(8)
        candidates.reserveCapacity(DSSSReceiver.usualCandidates)
        let acquisitions = plans.map { Acquisition(plan: $0, grid: grid) }
        let energies = plans.map { FrameEnergy(plan: $0, profile: profile) }
        schedules = plans.indices.map {
            // Repeats wait until single frames are settled.
            SearchSchedule(
                acquisitions[$0], energies[$0], fieldStart: fieldStart,
                patience: $0 == 0 ? 0 : grid.searchedStarts)
        }
        (self.acquisitions, self.energies) = (acquisitions, energies)
        prompt = PromptSearch(burst: acquisitions[0].burst, grid: grid)
        reader = CandidateReader(grid: grid, observer: observer)
    }

    var statistics: ReceiverStatistics { reader.statistics }

    /// How much of the past of a field it needs at once, with what arrives meanwhile.
    var keptSamples: Int { schedules.lazy.map { $0.keptSamples }.max()! }
    /// The same of the bins for strong frames, which single frames alone are sought in; nil: it reads none of them.
    var outerKeptSamples: Int? { schedules[0].outerKeptSamples }

    /// The oldest column of a field that a search still reads, and of the bins for strong frames, if it reads them.
    var oldestColumn: SamplePosition { schedules.lazy.map { $0.oldestColumn }.min()! }
    var oldestOuterColumn: SamplePosition? { schedules[0].oldestOuterColumn }

    /// Zeros that flush everything out at the end of a recording.
    var flushSamples: Int { schedules.lazy.map { $0.flushSamples }.max()! }

    /// Of a loud passage, how much of the past is read.
    var passageSamples: Int { PromptSearch.keptSamples(profile, acquisitions[0].burst) }

    /// The oldest baseband sample still needed.
    var oldestNeeded: SamplePosition { oldestSearched - Tracker.reach(profile: profile).before }

    /// The oldest that a search still reads about its starts.
    private var oldestSearched: SamplePosition { schedules.lazy.map { $0.oldestSearched }.min()! }

    /// Searches what has become ready of a field, where there may be a frame; `baseband` must hold what it was made of, and `noise` all
    /// of it, from ``oldestNeeded`` on. The same quanta on any input.
    mutating func search(
        _ field: inout ClusterField, _ baseband: BasebandWindow, _ noise: SteadyNoise,
        into reports: inout [DecodeReport]
    ) {
        let noiseEnd = noise.end * energyBlock.sampleCount
        var hasSearched = false
        for index in schedules.indices {
            while schedules[index].isReady(
                fieldEnd: field.end, basebandEnd: baseband.end, noiseEnd: noiseEnd)
            {
                let starts = schedules[index].starts
                if index == 0 {
                    reader.refill(seconds: Double(starts.count) / profile.band.rateHz)
                }
                search(index, starts, &field, baseband, noise)
                schedules[index].advance()
                hasSearched = true
            }
        }
        if hasSearched {
            reader.combineUndecoded(before: schedules[0].nextStart, noise, energyBlock)
            settle(into: &reports)
        }
    }

    private mutating func search(
        _ index: Int, _ starts: Range<SamplePosition>, _ field: inout ClusterField,
        _ baseband: BasebandWindow,
        _ noise: SteadyNoise
    ) {
        var mayBeRooms = true
        if starts.lowerBound < attentiveEnd {
            openStarts.replaceSubrange(
                0..., with: CollectionOfOne(OpenStarts(starts: starts, energy: .usual)))
        } else {
            mayBeRooms = energies[index].open(starts, noise, into: &openStarts)
            if openStarts.isEmpty { return }
        }
        acquisitions[index].search(
            &field, WantedStarts(open: openStarts, roomStarts: mayBeRooms ? starts : nil),
            into: &candidates, statistics: &reader.statistics)
        reader.read(
            candidates,
            SearchedStarts(
                plan: acquisitions[index].burst.plan, baseband: baseband, open: openStarts,
                mayBeRooms: mayBeRooms, horizon: starts.upperBound + schedules[index].lookbehind))
    }

    /// A frame stays open for better hypotheses until every search has passed its neighbourhood.
    private mutating func settle(into reports: inout [DecodeReport]) {
        let searched = schedules[0].nextStart
        let settled = reader.settle(before: Double(searched) - 2 * reader.neighbourhood)
        reader.forget(before: Double(oldestSearched) - 2 * reader.neighbourhood)
        guard !settled.isEmpty else { return }
        reports += settled
        // A sender of strong frames hides none.
        if settled.allSatisfy(EnergyBlock.isStrong) { return }
        attentiveEnd = max(attentiveEnd, searched + attentiveSamples)
    }

    /// Moves the clock on; see ``FamilyReceiver/skip(samples:)``.
    mutating func skip(samples: Int64) { reader.skip(samples: samples) }

    /// See ``FamilyReceiver/exchangeScratch(with:)``. A search keeps nothing of the one before.
    mutating func exchangeScratch(with other: inout DSSSReceiver) {
        swap(&acquisitions, &other.acquisitions)
        reader.exchangeScratch(with: &other.reader)
        prompt.exchangeScratch(with: &other.prompt)
    }

    /// Takes the end of a loud passage. Returns the frames that ended in it and are beyond doubt.
    ///
    /// - Parameter fresh: what came since the last call; with the first, all of the passage.
    mutating func hearPromptly(_ passage: LoudPassage, _ fresh: ArraySlice<Complex>) -> [DecodeReport] {
        let plan = acquisitions[0].burst.plan
        prompt.append(fresh, of: passage)
        var hasHeard = false
        while let starts = prompt.nextDue(passage.baseband.end) {
            if reader.isClaimed(near: Double(starts.lowerBound + starts.count / 2)) { continue }
            var uncounted = ReceiverStatistics()  // the search of all starts counts them
            prompt.search(starts, &acquisitions[0], into: &candidates, &uncounted)
            for candidate in candidates.prefix(DSSSReceiver.promptAttempts) {
                hasHeard = reader.readPromptly(candidate, plan, passage.baseband) || hasHeard
            }
        }
        guard hasHeard else { return [] }
        let settled = reader.settle(before: -.infinity)
        if !settled.allSatisfy(EnergyBlock.isStrong) {
            attentiveEnd = passage.baseband.end + attentiveSamples
        }
        return settled
    }

    /// The passage is over.
    mutating func endPassage() { prompt.end() }
}
