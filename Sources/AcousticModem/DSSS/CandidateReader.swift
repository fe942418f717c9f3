import Glibc
import Signal

/// Candidates → frames. Each candidate gets a glance, and more effort if it may help; repeats are decoded
/// together. The reader also knows the frames that have been heard.
///
///     candidate ─ Tracker ─▶ looks ─ DSSSFrameDecoder ─▶ evident? ─▶ FrameDeduplicator
///                              └──── not alone ──▶ LookMemory
struct CandidateReader: Sendable {
    /// The number of candidates of a block that are looked at, best first.
    private static let attempts = 8
    /// The Doppler difference within which looks may be of one sender.
    private static let repeatDopplerHz = 2.5

    let profile: DSSSProfile
    let segmentSpanSamples: Int
    /// The gates: of single frames if there may be rooms, and if there may not; of repeats that a search
    /// found together; and of looks at different candidates.
    let gate: AcceptanceGate
    private let directGate: AcceptanceGate
    private let repeatGate = AcceptanceGate.dsss(lookNats: Thresholds.dsss.repeatNats)
    let combinedGate: AcceptanceGate
    var clock: FrameClock
    var tracker: Tracker
    var decoder: DSSSFrameDecoder
    var deduplicator: FrameDeduplicator
    /// The looks from which repeats are combined; `nil` for profiles that repeat within a frame.
    var lookMemory: LookMemory<Look>?
    /// The looks at single frames that wait to be combined, and the time that they wait: as long as a `dsss`
    /// frame, which is known by then.
    var undecoded: [[Look]] = []
    let combiningSamples: Int
    /// The evident candidates whose repeats are looked for.
    var chains: [RepeatChain] = []
    private static let combiningSeconds = 1.25
    /// The end of the searched starts.
    var horizon: SamplePosition = 0
    /// True while candidates of a residual are read. The frames already heard are not in it.
    private(set) var readsResidual = false
    /// The budget of the candidates of residuals: some decodings for each frame heard.
    private static let residualDecodings = 20.0
    private var residualBudget = EffortBudget(perSecond: 0, burst: 480)
    /// The budget of deep and combined decodings.
    var budget = EffortBudget(perSecond: 4, burst: 240)
    var chance: ChanceBound
    var statistics = ReceiverStatistics()
    private let observer: (any ReceiverObserver)?
    /// The frames that other receivers of the same sound do not know yet; see ``takeUnclaimed()``.
    var unclaimed: [FrameDeduplicator.Entry] = []
    /// True if there are other receivers of the same sound.
    var hasOthers = false

    /// - Parameters:
    ///   - channelCount: the number of channels that hear each candidate. Only frames of one channel are kept
    ///     for later ones.
    ///   - chanceWordReserve: as in ``ReceiverOptions``.
    init(
        grid: SearchGrid, channelCount: Int = 1, chanceWordReserve: Double,
        observer: (any ReceiverObserver)?
    ) {
        let profile = grid.profile
        self.profile = profile
        self.observer = observer
        segmentSpanSamples = grid.segmentSpanSamples
        lookMemory =
            profile.segmentCount > 1 || channelCount > 1
            ? nil
            : LookMemory(
                capacity: 24, rateHz: profile.band.rateHz,
                frameSamples: Double(profile.segmentChipCount) / profile.chipRateHz
                    * profile.band.rateHz,
                greatestChange: CandidateReader.repeatDopplerHz / profile.carrierHz)
        let glanceNats = Float(log(grid.hypothesesPerSecond)) - Thresholds.dsss.glanceAllowanceNats
        let hasMany = grid.clusterCount > ClusterGate.manyClusters
        gate = .dsss(lookNats: glanceNats)
        directGate = .dsss(lookNats: glanceNats + (hasMany ? Thresholds.dsss.directNats : 0))
        combinedGate = .dsss(lookNats: glanceNats + Thresholds.dsss.combinedNats)
        combiningSamples = profile.band.samples(seconds: CandidateReader.combiningSeconds)
        clock = FrameClock(profile: profile)
        tracker = Tracker(profile: profile)
        decoder = DSSSFrameDecoder(profile: profile)
        chance = ChanceBound(
            reserve: chanceWordReserve, rateHz: profile.band.rateHz,
            frameSamples: Double(segmentSpanSamples * profile.segmentCount))
        // The neighbourhood is as long as the RAKE reads after the reference path: a start that much too
        // early decodes, too, and is the same frame.
        deduplicator = FrameDeduplicator(
            neighbourhood: Double(TapLoads.tapCount - TapLoads.referenceTap) * grid.samplesPerChip,
            rateHz: profile.band.rateHz,
            segmentSpacing: Double(profile.segmentChipCount) * grid.samplesPerChip,
            segmentCount: profile.segmentCount)
    }

    /// The distance, in baseband samples, within which hypotheses are of one frame.
    var neighbourhood: Double { deduplicator.neighbourhood }

    /// Returns true if any frame has been heard near `start`.
    func isClaimed(near start: Double) -> Bool { deduplicator.isClaimed(near: start) }

    /// Refills the budgets for `seconds` of further sound.
    mutating func refill(seconds: Double) {
        budget.refill(seconds: seconds)
        chance.refill(seconds: seconds)
    }

    /// Refills the budget for the residual of `frames` further frames.
    mutating func refillResidual(frames: Int) {
        residualBudget.refill(CandidateReader.residualDecodings * Double(frames))
    }

    /// Returns the reports of frames that begin before `start` and of those beyond doubt, each once.
    mutating func settle(before start: Double) -> [DecodeReport] {
        let reports = deduplicator.settle(before: start)
        statistics.reports += Int64(reports.count)
        return reports
    }

    /// Moves the clock on. Earlier looks are forgotten, as they are no repeats of later frames.
    mutating func skip(samples: Int64) {
        clock.skippedSamples += samples
        lookMemory?.forgetAll()
        undecoded.removeAll()
        chains.removeAll()
    }

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout CandidateReader) {
        swap(&tracker, &other.tracker)
        swap(&decoder, &other.decoder)
    }

    mutating func forget(before start: Double) {
        deduplicator.forget(before: start - Double(lookMemory == nil ? 0 : 2 * combiningSamples))
    }

    /// Decodes the candidates of one search, as far as they are worth it.
    ///
    /// - Parameter candidates: the candidates of one search, best first.
    mutating func read(_ candidates: [Candidate], _ searched: SearchedStarts) {
        statistics.candidates += Int64(candidates.count)
        horizon = max(horizon, searched.horizon)
        readsResidual = searched.isResidual
        if readsResidual { swap(&budget, &residualBudget) }
        defer {
            if readsResidual { swap(&budget, &residualBudget) }
            readsResidual = false
        }
        for rank in candidates.indices {
            let candidate = candidates[rank]
            var trial = Trial(
                candidate: candidate, pilotNats: candidate.score, frameCount: searched.frameCount,
                channelCount: searched.channels.count)
            if case .reject(let outcome) = verdict(trial, searched) {
                settle(outcome, trial)
            } else if rank >= CandidateReader.attempts {
                settle(.crowded, trial)
            } else if isKnown(candidate, searched.plan) {
                settle(.known, trial)
            } else {
                track(&trial, searched.plan, searched.basebands, searched.channels)
                if !tryHard(trial), trial.frameCount == 1, !tryOnTwinLane(trial), !readsResidual {
                    undecoded.append(trial.looks)
                }
            }
        }
    }

    /// Returns the gate's verdict about a candidate that a search found.
    private func verdict(_ trial: Trial, _ searched: SearchedStarts) -> Verdict {
        let start = SamplePosition(trial.candidate.start)
        var evidence = trial.evidence(.found)
        evidence.missingNats = OpenStarts.nearest(start, of: searched.open).energy.missingNats
        if searched.plan.combinesRepeats { return repeatGate.verdict(evidence) }
        return searched.mayBeRooms ? gate.verdict(evidence) : directGate.verdict(evidence)
    }

    /// Glances at a candidate of a loud passage. The search of all starts takes care of a candidate that this
    /// glance does not make certain. Returns true if the glance made it certain.
    mutating func readPromptly(
        _ candidate: Candidate, _ plan: BurstPlan, _ baseband: BasebandWindow
    ) -> Bool {
        var trial = Trial(candidate: candidate, pilotNats: candidate.score)
        guard gate.verdict(trial.evidence(.found)) == .look, !deduplicator.covers(candidate) else {
            return false
        }
        track(&trial, plan, [baseband], ChannelSet(0))
        var detections = Detections(trial)
        detections.isStrained = budget.isStrained
        let result = decoder.decode(&detections, .glance, statistics: &statistics)
        guard let frame = result.frame, frame.isCertain, accept(frame, trial, isCertain: true)
        else { return false }
        settle(.heard, trial, frame.evidence)
        return true
    }

    /// Refines a candidate and looks at its segments; those of a combination are frames of their own.
    private mutating func track(
        _ trial: inout Trial, _ plan: BurstPlan, _ basebands: [BasebandWindow], _ channels: ChannelSet
    ) {
        let candidate = tracker.refine(trial.candidate, plan, basebands, channels)
        trial.looks = (0..<plan.lookCount).map { look in
            // The channels' views of a segment follow one another, so that those of a frame do.
            let (segment, place) = look.quotientAndRemainder(dividingBy: channels.count)
            var own = candidate
            if plan.combinesRepeats {
                own.start = tracker.segmentStart(candidate, plan, segment)
                own.score /= Float(plan.segmentCount)
            }
            return Look(
                candidate: own, segment: plan.layoutIndex(segment: segment), channel: channels[place],
                chips: tracker.chips(candidate, plan, segment: segment, basebands[channels[place]]))
        }
        trial.candidate = trial.looks[0].candidate
    }

    /// Returns true if a candidate adds nothing to the frames already heard. If one frame of a pair was heard
    /// by itself, the other must be heard by itself, too: together they would decode, and say nothing about
    /// the second.
    private func isKnown(_ candidate: Candidate, _ plan: BurstPlan) -> Bool {
        if readsResidual { return deduplicator.isRest(candidate) }
        if plan.channelCount == 1, !plan.combinesRepeats { return deduplicator.covers(candidate) }
        // All channels together hear a frame better that one of them heard by itself. That says nothing new.
        guard plan.combinesRepeats else { return deduplicator.isClaimed(near: candidate.start) }
        return isExplained(candidate, plan)
    }

    /// Counts the outcome of a candidate, and notifies the observer.
    mutating func settle(
        _ outcome: CandidateTrace.Outcome, _ trial: Trial, _ evidence: Float? = nil
    ) {
        statistics.count(outcome)
        guard let observer else { return }
        let candidate = trial.candidate
        var trace = CandidateTrace(
            outcome: outcome, profile: WaveformProfile(profile),
            startSeconds: clock.startSample(candidate) / Receiver.sampleRateHz,
            speedMetersPerSecond: Float(candidate.timeScale * SearchGrid.soundSpeed),
            carrierOffsetHz: Float(candidate.timeScale * profile.carrierHz), lane: candidate.lane,
            repeats: trial.frameCount, pilotNats: trial.pilotNats, evidenceNats: evidence,
            neededNats: gate.frame.nats)
        if let look = trial.looks.first {
            let layout = decoder.layout(.short, lane: candidate.lane, segment: look.segment)
            trace.tapSpacingSeconds = 1 / profile.chipRateHz
            trace.tapPowers = TapLoads.powers(look.chips, pilots: layout.knownPilots)
        }
        observer.settled(trace)
    }
}
