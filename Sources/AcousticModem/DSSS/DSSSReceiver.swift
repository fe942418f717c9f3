import Signal

/// Cluster correlations → reports for one profile, from one channel or from several jointly. The receiver
/// searches a block of starts at a time, and the ends of loud passages at once.
///
///     ClusterField ─▶ Acquisition ─ candidates ─▶ CandidateReader ─▶ DecodeReport
///                  PromptSearch ─────────────────────▲
struct DSSSReceiver: Sendable {
    /// The number of candidates of a place that are glanced at as soon as a frame may have ended.
    private static let promptAttempts = 2

    let profile: DSSSProfile
    private let grid: SearchGrid
    /// The channels that are searched. Fewer than two of a joint receiver are not searched, as each channel
    /// has a receiver of its own.
    private(set) var channels: ChannelSet
    private let isJoint: Bool
    /// The acquisitions, that of single frames first; those of repeats are for frames that the first does not
    /// decode. The other arrays have one element for each acquisition. They are separate, as they are small
    /// and asked for all the time.
    private var acquisitions: [CopyOnWrite<Acquisition>]
    private var energies: [FrameEnergy]
    private let energyBlock: EnergyBlock
    private var schedules: [SearchSchedule]
    /// The end of the time in which all starts are searched: a minute after a faint frame was heard. If faint
    /// frames follow one another, there is no noise between them to be measured.
    private var attentiveEnd = SamplePosition.min
    private static let attentiveSeconds = 60.0
    private let attentiveSamples: Int
    /// The open starts and the candidates of the last search.
    private var openStarts: [OpenStarts] = []
    private var candidates: [Candidate] = []
    private static let usualCandidates = 32
    private var reader: CandidateReader
    /// The search for frames that are reported as soon as they end; each channel has its own.
    private var prompt: PromptSearch

    /// - Parameters:
    ///   - fieldStart: the beginning of the fields of correlations that are searched.
    ///   - channels: the channels that are searched, jointly if there are several.
    ///   - options: as for ``Receiver``; four repeats are not searched on several channels jointly.
    init(
        grid: SearchGrid, fieldStart: SamplePosition, channels: ChannelSet,
        options: ReceiverOptions = ReceiverOptions(), observer: (any ReceiverObserver)? = nil
    ) {
        let profile = grid.profile
        (self.profile, self.grid, self.channels) = (profile, grid, channels)
        isJoint = channels.count > 1
        energyBlock = EnergyBlock(band: profile.band)
        attentiveSamples = profile.band.samples(seconds: DSSSReceiver.attentiveSeconds)
        var plans = DSSSReceiver.plans(profile, channelCount: channels.count)
        if options.joinsFourRepeats, !isJoint, profile.segmentCount == 1 {
            plans.append(.repeats(4, of: profile))
        }
        openStarts.reserveCapacity(8)
        candidates.reserveCapacity(DSSSReceiver.usualCandidates)
        let acquisitions = plans.map { CopyOnWrite(Acquisition(plan: $0, grid: grid)) }
        let energies = plans.map { FrameEnergy(plan: $0, profile: profile) }
        schedules = plans.indices.map { index in
            acquisitions[index].read {
                // The search of repeats waits until single frames are settled.
                SearchSchedule(
                    $0, energies[index], fieldStart: fieldStart,
                    patience: index == 0 ? 0 : grid.searchedStarts)
            }
        }
        (self.acquisitions, self.energies) = (acquisitions, energies)
        prompt = PromptSearch(burst: acquisitions[0].value.burst, grid: grid)
        reader = CandidateReader(
            grid: grid, channelCount: channels.count, chanceWordReserve: options.chanceWordReserve,
            observer: observer)
    }

    /// Returns the plans that are searched for, that of single frames first.
    private static func plans(_ profile: DSSSProfile, channelCount: Int) -> [BurstPlan] {
        var plans = [BurstPlan.frame(of: profile)]
        if profile.segmentCount == 1 { plans.append(.repeats(2, of: profile)) }
        return plans.map { $0.heard(onChannels: channelCount) }
    }

    /// Changes the channels that are searched jointly.
    mutating func choose(_ chosen: ChannelSet) {
        if chosen.count != channels.count, chosen.count > 1 {
            let plans = DSSSReceiver.plans(profile, channelCount: chosen.count)
            acquisitions = plans.map { CopyOnWrite(Acquisition(plan: $0, grid: grid)) }
            energies = plans.map { FrameEnergy(plan: $0, profile: profile) }
        }
        channels = chosen
    }

    var statistics: ReceiverStatistics { reader.statistics }

    /// True if other receivers hear the same sound; see ``takeUnclaimed()``.
    var hasOthers: Bool {
        get { reader.hasOthers }
        set { reader.hasOthers = newValue }
    }

    /// The number of past samples of a field that are needed at once, with those that arrive meanwhile.
    var keptSamples: Int { schedules.lazy.map { $0.keptSamples }.max()! }
    /// The same for the bins for strong frames, in which only single frames are sought; `nil` if none of them
    /// is read.
    var outerKeptSamples: Int? { schedules[0].outerKeptSamples }

    /// The oldest column of a field that a search still reads, and that of the bins for strong frames, if it
    /// reads them.
    var oldestColumn: SamplePosition { schedules.lazy.map { $0.oldestColumn }.min()! }
    var oldestOuterColumn: SamplePosition? { schedules[0].oldestOuterColumn }

    /// The number of zeros that flush everything out at the end of a recording.
    var flushSamples: Int { schedules.lazy.map { $0.flushSamples }.max()! }

    /// The number of past samples of a loud passage that are read.
    var passageSamples: Int { PromptSearch.keptSamples(profile, acquisitions[0].value.burst) }

    /// The oldest baseband sample that is still needed.
    var oldestNeeded: SamplePosition {
        oldestSearched - Tracker.reach(profile: profile).before - reader.chainReach
    }

    /// The oldest sample that a search still reads about its starts.
    private var oldestSearched: SamplePosition { schedules.lazy.map { $0.oldestSearched }.min()! }

    /// Searches the starts of the channels' fields that have become ready, where there may be a frame.
    /// `basebands` must hold the sound that the fields were made of, and `noises` all of its blocks, from
    /// ``oldestNeeded`` on. The starts are searched in the same quanta on any input.
    ///
    /// - Parameter fields: the fields of all channels of a band, as `basebands` and `noises` are of all.
    mutating func search(
        _ fields: inout [CopyOnWrite<ClusterField>], _ basebands: [BasebandWindow], _ noises: [SteadyNoise],
        into reports: inout [DecodeReport]
    ) {
        // All channels have heard for the same time.
        let noiseEnd = noises[0].end * energyBlock.sampleCount
        let (fieldEnd, basebandEnd) = (fields[0].value.end, basebands[0].end)
        var hasSearched = false
        for index in schedules.indices {
            while schedules[index].isReady(
                fieldEnd: fieldEnd, basebandEnd: basebandEnd, noiseEnd: noiseEnd)
            {
                let starts = schedules[index].starts
                if index == 0 {
                    reader.refill(seconds: Double(starts.count) / profile.band.rateHz)
                }
                if !isJoint || channels.count > 1 {
                    search(index, starts, &fields, basebands, noises)
                }
                schedules[index].advance()
                hasSearched = true
            }
        }
        if hasSearched {
            reader.combineUndecoded(before: schedules[0].nextStart, noises[channels[0]], energyBlock)
            reader.followChains(basebands, channels)
            settle(into: &reports)
            prompt.giveBackMemory(at: basebandEnd)
        }
    }

    private mutating func search(
        _ index: Int, _ starts: Range<SamplePosition>, _ fields: inout [CopyOnWrite<ClusterField>],
        _ basebands: [BasebandWindow], _ noises: [SteadyNoise]
    ) {
        var mayBeRooms = true
        if starts.lowerBound < attentiveEnd {
            openStarts.replaceSubrange(
                0..., with: CollectionOfOne(OpenStarts(starts: starts, energy: .usual)))
        } else {
            mayBeRooms = energies[index].open(starts, noises, channels, into: &openStarts)
            if openStarts.isEmpty { return }
        }
        OtherFields.with(&fields, channels) { field, others in
            acquisitions[index].value.search(
                &field, others, WantedStarts(open: openStarts, roomStarts: mayBeRooms ? starts : nil),
                into: &candidates, statistics: &reader.statistics)
        }
        reader.read(
            candidates,
            SearchedStarts(
                plan: acquisitions[index].value.burst.plan, basebands: basebands, channels: channels,
                open: openStarts, mayBeRooms: mayBeRooms,
                horizon: starts.upperBound + schedules[index].lookbehind))
    }

    /// The end of the starts that single frames have been searched at.
    var searchedEnd: SamplePosition { schedules[0].nextStart }

    /// The number of baseband samples that a frame lasts.
    var frameSamples: Int { profile.band.samples(seconds: profile.durationSeconds) }

    /// The samples before a start, and after it, that the search for single frames asks of a field.
    var fieldReach: (before: Int, after: Int) { schedules[0].fieldReach }

    /// Allows more effort for the residual of `frames` further frames.
    mutating func refillResidual(frames: Int) { reader.refillResidual(frames: frames) }

    /// Searches some starts of a residual for single frames, and reports those found.
    ///
    /// - Parameters:
    ///   - field: the field of the residual, which begins at `residual.origin`.
    mutating func searchResidual(
        _ starts: Range<SamplePosition>, _ field: inout ClusterField, _ residual: Residual,
        into reports: inout [DecodeReport]
    ) {
        // An echo tail is sought in as many starts as a search takes.
        let mayBeRooms =
            energies[0].open(starts, residual.noises, channels, into: &openStarts)
            && starts.count == grid.searchedStarts
        if openStarts.isEmpty { return }
        let origin = residual.origin
        func ofField(_ starts: Range<SamplePosition>) -> Range<SamplePosition> {
            starts.lowerBound.since(origin)..<starts.upperBound.since(origin)
        }
        let shifted = openStarts.map { OpenStarts(starts: ofField($0.starts), energy: $0.energy) }
        var uncounted = ReceiverStatistics()  // the search of all starts has counted these cells
        acquisitions[0].value.search(
            &field, .none, WantedStarts(open: shifted, roomStarts: mayBeRooms ? ofField(starts) : nil),
            into: &candidates, statistics: &uncounted)
        for index in candidates.indices { candidates[index].start += Double(origin) }
        reader.read(
            candidates,
            SearchedStarts(
                plan: acquisitions[0].value.burst.plan, basebands: residual.basebands, channels: channels,
                open: openStarts, mayBeRooms: mayBeRooms, horizon: starts.lowerBound, isResidual: true))
        reports += reader.settle(before: Double(starts.upperBound) + reader.neighbourhood)
    }

    /// Reports the settled frames. A frame stays open for better hypotheses until every search has passed its
    /// neighbourhood.
    private mutating func settle(into reports: inout [DecodeReport]) {
        let searched = schedules[0].nextStart
        let settled = reader.settle(before: Double(searched) - 2 * reader.neighbourhood)
        reader.forget(before: Double(oldestSearched) - 2 * reader.neighbourhood)
        guard !settled.isEmpty else { return }
        reports += settled
        // No other frame of a sender of strong frames hides in the noise.
        if settled.allSatisfy(EnergyBlock.isStrong) { return }
        attentiveEnd = max(attentiveEnd, searched + attentiveSamples)
    }

    /// Moves the clock on; see ``FamilyReceiver/skip(samples:)``.
    mutating func skip(samples: Int64) { reader.skip(samples: samples) }

    /// See ``FamilyReceiver/exchangeScratch(with:)``. A search keeps nothing of the search before.
    mutating func exchangeScratch(with other: inout DSSSReceiver) {
        swap(&acquisitions, &other.acquisitions)
        reader.exchangeScratch(with: &other.reader)
    }

    /// Takes the end of a loud passage. Returns the frames that ended in it and are beyond doubt.
    ///
    /// - Parameter fresh: the samples since the last call; in the first call, the whole passage so far.
    mutating func hearPromptly(_ passage: LoudPassage, _ fresh: ArraySlice<Complex>) -> [DecodeReport] {
        let plan = acquisitions[0].value.burst.plan
        prompt.append(fresh, of: passage)
        var hasHeard = false
        while let starts = prompt.nextDue(passage.baseband.end) {
            if reader.isClaimed(near: Double(starts.lowerBound + starts.count / 2)) { continue }
            var uncounted = ReceiverStatistics()  // the search of all starts counts these candidates
            prompt.search(starts, &acquisitions[0].value, into: &candidates, &uncounted)
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

    /// Returns the frames that this receiver has heard since the last call and others do not know yet.
    mutating func takeUnclaimed() -> [FrameDeduplicator.Entry] { reader.takeUnclaimed() }

    /// Makes frames known that other receivers of the same sound will report.
    mutating func claim(_ frames: [FrameDeduplicator.Entry]) { reader.claim(frames) }

    /// Ends the passage.
    mutating func endPassage() { prompt.end() }
}
