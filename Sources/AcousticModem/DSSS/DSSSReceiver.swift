import Glibc
import Signal

/// Baseband → reports for one profile: the chain of acquisition, tracker, demodulator and decoder, a block of starts
/// at a time.
///
///     candidates ─▶ a glance at each ─ evident? ─▶ quick decoding ─ more evident? ─▶ deep decoding
struct DSSSReceiver: Sendable {
    /// Starts searched at once: half a second, counted from the first sample, whatever the chunks.
    private static let blockSamples = Acquisition.mostStarts
    /// Candidates of a block looked at, best first.
    private static let attempts = 8
    /// Nats of pilots that earn a glance: less this than the hypotheses of a second, so that noise earns a few a
    /// second whatever the profile; and for a combination, which decodes far below.
    private static let glanceAllowance: Float = 2.87
    private static let combinedThreshold: Float = 13.5
    /// Nats beyond a glance that looks at different candidates need together to be decoded as one.
    private static let combinedExcess: Float = 3
    /// Nats of evidence that earn the next effort; and of the code alone, which noise has some −8 of, and a frame that
    /// needs the effort hardly less. Other sounds and the side lobes of strong frames have −20, whatever their pilots.
    private static let quickThreshold: (evidence: Float, code: Float) = (6, -16)
    private static let deepThreshold: (evidence: Float, code: Float) = (10.5, -13)
    /// Nats of pilots that noise reaches once in some minutes: worth every effort, whatever a glance says of rooms.
    private static let prominentScore: Float = 19

    /// Nats of the code alone that leave no doubt of a frame: no other reading of it comes near. And candidates of a
    /// place that are glanced at for it.
    private static let certainCode: Float = 40
    private static let promptAttempts = 2

    let profile: DSSSProfile
    private var field: ClusterField
    /// Single frames first: repeats are for what they do not decode. With where each search goes on.
    private var searches: [(acquisition: Acquisition, nextStart: Int)]
    /// Of the last search.
    private var candidates: [Candidate] = []
    private static let usualCandidates = 32
    private let glanceThreshold: Float
    private var tracker: Tracker
    private var decoder: DSSSFrameDecoder
    private var ledger: FrameLedger
    /// What repeats are combined from, for profiles that do not repeat within a frame.
    private var lookMemory: LookMemory<Look>?
    /// Frames that are reported as soon as they end.
    private var prompt: PromptSearch
    /// Where the searched starts end.
    private var horizon = 0
    /// Doppler within which looks may be of one sender.
    private static let repeatDopplerHz = 2.5
    private var budget = DecodeBudget()
    private(set) var statistics = ReceiverStatistics()
    private let observer: (any ReceiverObserver)?

    init(profile: DSSSProfile, observer: (any ReceiverObserver)? = nil) {
        self.profile = profile
        self.observer = observer
        let grid = SearchGrid(profile: profile)
        var plans = [BurstPlan.frame(of: profile)]
        if profile.segmentCount == 1 { plans.append(.repeats(2, of: profile)) }
        candidates.reserveCapacity(DSSSReceiver.usualCandidates)
        searches = plans.map { (Acquisition(plan: $0, grid: grid), 0) }
        let reach = searches.lazy.map { $0.acquisition.lookahead + $0.acquisition.lookbehind }.max()!
        field = ClusterField(grid: grid, keptSamples: reach + 3 * DSSSReceiver.blockSamples)
        for index in searches.indices {
            searches[index].nextStart = field.start + searches[index].acquisition.lookbehind
        }
        lookMemory =
            profile.segmentCount > 1
            ? nil
            : LookMemory(
                capacity: 24, rateHz: BandDecimator.outputRateHz,
                frameSamples: Double(profile.segmentChipCount) / profile.chipRateHz
                    * BandDecimator.outputRateHz,
                greatestChange: DSSSReceiver.repeatDopplerHz / profile.carrierHz)
        let hypothesesPerSecond = Double(grid.coreBins.count * grid.fineCount) * BandDecimator.outputRateHz
        glanceThreshold = Float(log(hypothesesPerSecond)) - DSSSReceiver.glanceAllowance
        prompt = PromptSearch(burst: searches[0].acquisition.burst, grid: grid)
        tracker = Tracker(profile: profile)
        decoder = DSSSFrameDecoder(profile: profile)
        ledger = FrameLedger(
            neighbourhood: 64 * grid.samplesPerChip,
            segmentSpacing: Double(profile.segmentChipCount) * grid.samplesPerChip,
            segmentCount: profile.segmentCount)
    }

    /// Zeros that flush everything out at the end of a recording.
    var flushSamples: Int {
        searches.lazy.map { $0.acquisition.lookahead }.max()! + 3 * DSSSReceiver.blockSamples
            + 2 * ClusterCorrelator.BlockLength.long.rawValue
    }

    /// Of a loud passage, how much of the past is read.
    var passageSamples: Int { PromptSearch.keptSamples(profile, searches[0].acquisition.burst) }

    /// The oldest baseband sample still needed.
    var oldestNeeded: Int {
        searches.lazy.map { $0.nextStart - $0.acquisition.lookbehind }.min()!
            - Tracker.reach(profile: profile).before
    }

    /// Takes fresh samples of `baseband`, which it must hold from ``oldestNeeded`` on; the same quanta on any input.
    mutating func process(_ fresh: ArraySlice<Complex>, _ baseband: BasebandWindow) -> [DecodeReport] {
        field.append(fresh)
        return searchReady(baseband)
    }

    private mutating func searchReady(_ baseband: BasebandWindow) -> [DecodeReport] {
        for index in searches.indices {
            while true {
                let starts = searches[index].nextStart..<searches[index].nextStart + DSSSReceiver.blockSamples
                let trackerReach =
                    Tracker.reach(profile: profile).after + searches[index].acquisition.burst.spanSamples
                let patience = index == 0 ? 0 : DSSSReceiver.blockSamples
                guard field.end > starts.upperBound + searches[index].acquisition.lookahead + patience,
                    baseband.end > starts.upperBound + trackerReach + 256
                else { break }
                if index == 0 {
                    budget.refill(seconds: Double(starts.count) / BandDecimator.outputRateHz)
                }
                searches[index].acquisition.search(
                    field, starts: starts, into: &candidates, statistics: &statistics)
                statistics.candidates += candidates.count
                horizon = max(horizon, starts.upperBound + searches[index].acquisition.lookbehind)
                decode(searches[index].acquisition.burst.plan, baseband)
                searches[index].nextStart = starts.upperBound
            }
        }
        // A frame stays open for better hypotheses until every search has passed its neighbourhood.
        let searched = Double(searches[0].nextStart)
        let reports = ledger.settle(before: searched - 2 * ledger.neighbourhood)
        statistics.reports += reports.count
        let oldest = searches.lazy.map { $0.nextStart - $0.acquisition.lookbehind }.min()!
        ledger.forget(before: Double(oldest) - 2 * ledger.neighbourhood)
        field.drop(before: oldest - 8)
        return reports
    }

    private mutating func decode(_ plan: BurstPlan, _ baseband: BasebandWindow) {
        let threshold = plan.combinesRepeats ? DSSSReceiver.combinedThreshold : glanceThreshold
        let frames = plan.combinesRepeats ? plan.segmentCount : 1
        for rank in candidates.indices {
            let candidate = candidates[rank]
            guard rank < DSSSReceiver.attempts, candidate.score >= threshold else {
                let outcome = candidate.score < threshold ? CandidateTrace.Outcome.faint : .crowded
                settle(outcome, candidate, frames: frames, nats: candidate.score)
                continue
            }
            if isKnown(candidate, plan) {
                settle(.known, candidate, frames: frames, nats: candidate.score)
                continue
            }
            let looks = looks(at: tracker.refine(candidate, plan, baseband), plan, baseband)
            if !tryHard(looks, nats: candidate.score, frames: frames), frames == 1 { combine(looks) }
        }
    }

    /// Takes the end of a loud passage. Returns the frames that ended in it and are beyond doubt.
    ///
    /// - Parameter fresh: what came since the last call; with the first, all of the passage.
    mutating func hearPromptly(_ passage: LoudPassage, _ fresh: ArraySlice<Complex>) -> [DecodeReport] {
        prompt.append(fresh, at: passage.baseband.end - fresh.count)
        var hasHeard = false
        while let starts = prompt.nextDue(passage.baseband.end) {
            if ledger.isClaimed(near: Double(starts.lowerBound + starts.count / 2)) { continue }
            var uncounted = ReceiverStatistics()  // the search of all starts counts them
            prompt.search(starts, &searches[0].acquisition, into: &candidates, &uncounted)
            for candidate in candidates.prefix(DSSSReceiver.promptAttempts)
            where candidate.score >= glanceThreshold && !ledger.covers(candidate) {
                hasHeard = glancePromptly(candidate, passage.baseband) || hasHeard
            }
        }
        let reports = hasHeard ? ledger.settle(before: -.infinity) : []
        statistics.reports += reports.count
        return reports
    }

    /// The passage is over.
    mutating func endPassage() { prompt.end() }

    /// What a glance does not make certain is left to the search of all starts. Whether it did.
    private mutating func glancePromptly(_ candidate: Candidate, _ baseband: BasebandWindow) -> Bool {
        let plan = searches[0].acquisition.burst.plan
        let looks = looks(at: tracker.refine(candidate, plan, baseband), plan, baseband)
        var detections = Detections(looks)
        let result = decoder.decode(
            &detections, pilotNats: candidate.score, effort: .glance, isStrained: budget.isStrained,
            statistics: &statistics)
        guard let frame = result.frame, frame.evidence - candidate.score > DSSSReceiver.certainCode,
            accept(frame, looks, frames: 1, isCertain: true)
        else { return false }
        settle(.heard, looks[0].candidate, frames: 1, nats: candidate.score, frame.evidence, looks[0])
        return true
    }

    /// A candidate's segments; those of a combination are frames of their own.
    private mutating func looks(
        at candidate: Candidate, _ plan: BurstPlan, _ baseband: BasebandWindow
    ) -> [Look] {
        (0..<plan.segmentCount).map { segment in
            var own = candidate
            if plan.combinesRepeats {
                own.start = tracker.segmentStart(candidate, plan, segment)
                own.score /= Float(plan.segmentCount)
            }
            return Look(
                candidate: own, segment: plan.layoutIndex(segment: segment),
                chips: tracker.chips(candidate, plan, segment: segment, baseband))
        }
    }

    /// Whether a candidate adds nothing to the frames already heard. One of a pair heard by itself leaves the other
    /// to be heard by itself, too: together they would decode, and say nothing of the second.
    private func isKnown(_ candidate: Candidate, _ plan: BurstPlan) -> Bool {
        guard plan.combinesRepeats else { return ledger.covers(candidate) }
        return (0..<plan.segmentCount).contains {
            ledger.isClaimed(near: tracker.segmentStart(candidate, plan, $0))
        }
    }

    /// A frame that did not decode alone: with earlier ones, or for later ones.
    private mutating func combine(_ looks: [Look]) {
        guard budget.isOpen, !isOvershadowed(looks),
            let partners = lookMemory?.partners(of: looks[0], rank: { $0.candidate.score })
        else {
            return
        }
        for count in partners.indices {
            let all = looks + partners[...count]
            // Each partner was the best of many, too: only what it has beyond them speaks for it.
            let nats = all.reduce(glanceThreshold) { $0 + $1.candidate.score - glanceThreshold }
            guard nats > glanceThreshold + DSSSReceiver.combinedExcess else { continue }
            if tryHard(all, nats: nats, frames: all.count) { return }
        }
        lookMemory?.remember(looks[0])
    }

    private func isOvershadowed(_ looks: [Look]) -> Bool {
        let span = Double(field.grid.segmentSpanSamples * looks.count)
        return looks.contains {
            ledger.overshadows($0.candidate, within: span, before: Double(horizon))
        }
    }

    /// A glance, and more where it may help. Whether a frame was accepted.
    private mutating func tryHard(_ looks: [Look], nats: Float, frames: Int) -> Bool {
        let isProminent = frames == 1 && nats > DSSSReceiver.prominentScore
        var outcome = CandidateTrace.Outcome.unlikely
        var detections = Detections(looks)
        var result = attempt(&detections, nats, .glance)
        func isWorthMore(_ threshold: (evidence: Float, code: Float)) -> Bool {
            result.frame == nil && (isProminent || result.evidence > threshold.evidence)
                && result.evidence - nats > threshold.code
        }
        if isWorthMore(DSSSReceiver.quickThreshold) {
            outcome = .undecoded
            result = attempt(&detections, nats, .quick)
            if isWorthMore(DSSSReceiver.deepThreshold), !isOvershadowed(looks) {
                if budget.isOpen {
                    result = attempt(&detections, nats, .deep, only: result.tokenClass)
                } else {
                    outcome = .unaffordable
                }
            }
        }
        if let frame = result.frame, accept(frame, looks, frames: frames) { outcome = .heard }
        settle(outcome, looks[0].candidate, frames: frames, nats: nats, result.evidence, looks[0])
        return outcome == .heard
    }

    /// Counts what became of a candidate, and tells the observer.
    private mutating func settle(
        _ outcome: CandidateTrace.Outcome, _ candidate: Candidate, frames: Int, nats: Float,
        _ evidence: Float? = nil, _ look: Look? = nil
    ) {
        statistics.count(outcome)
        guard let observer else { return }
        var trace = CandidateTrace(
            outcome: outcome, profile: WaveformProfile(profile),
            startSeconds: startSample(candidate.start, candidate.timeScale) / BandDecimator.inputRateHz,
            speedMetersPerSecond: Float(candidate.timeScale * SearchGrid.soundSpeed),
            carrierOffsetHz: Float(candidate.timeScale * profile.carrierHz), lane: candidate.lane,
            repeats: frames, pilotNats: nats, evidenceNats: evidence)
        if let look {
            let layout = decoder.layout(.short, lane: candidate.lane, segment: look.segment)
            trace.tapSpacingSeconds = 1 / profile.chipRateHz
            trace.tapPowers = TapLoads.powers(look.chips, pilots: layout.knownPilots)
        }
        observer.settled(trace)
    }

    private mutating func attempt(
        _ detections: inout Detections, _ nats: Float, _ effort: DSSSFrameDecoder.Effort,
        only: TokenClass? = nil
    ) -> DSSSFrameDecoder.Attempt {
        let before = statistics.decodings
        defer {
            // A first look at one frame is never too much: what is in the air must not keep a good frame from it.
            if effort == .deep || detections.looks.count > 1 {
                budget.spend(decodings: statistics.decodings - before)
            }
        }
        return decoder.decode(
            &detections, pilotNats: nats, effort: effort, only: only, isStrained: budget.isStrained,
            statistics: &statistics)
    }

    /// Nats that each frame of a combination must have by itself to count as heard.
    private static let leastMatch: Float = 10

    /// Claims the frames that hold the token. Whether any does.
    private mutating func accept(
        _ frame: DecodedFrame, _ looks: [Look], frames: Int, isCertain: Bool = false
    ) -> Bool {
        var heard = looks.filter { $0.segment == 0 }
        if frames > 1 {
            heard = heard.filter { decoder.match(frame, $0) > DSSSReceiver.leastMatch }
        }
        heard.sort { $0.candidate.start < $1.candidate.start }
        guard let first = heard.first else { return false }
        let sent = decoder.layout(frame.tokenClass, lane: first.candidate.lane, segment: 0)
            .chips(ofCodedBits: frame.codedBits)
        let measured = SignalMeasurement(first.chips, sent: sent)
        let report = DecodeReport(
            token: frame.token, profile: WaveformProfile(profile),
            startSample: startSample(first.candidate.start, first.candidate.timeScale),
            snrDecibels: measured.snrDecibels(profile: profile),
            ebN0Decibels: measured.ebN0Decibels(profile: profile, tokenByteCount: frame.token.count),
            speedMetersPerSecond: Float(first.candidate.timeScale * SearchGrid.soundSpeed),
            repeats: heard.count, lane: first.candidate.lane)
        for (index, look) in heard.enumerated() {
            lookMemory?.forget(near: look.candidate.start, within: ledger.neighbourhood)
            ledger.add(
                FrameLedger.Entry(
                    start: look.candidate.start, lane: look.candidate.lane, evidence: frame.evidence,
                    pilotScore: look.candidate.score, report: index == 0 ? report : nil,
                    isCertain: isCertain))
        }
        return true
    }

    /// From the first chip after the ramp, in baseband samples, to the ramp's start at 48 kHz.
    private func startSample(_ start: Double, _ timeScale: Double) -> Double {
        let rampSeconds = Double(profile.rampChipCount + 1) / profile.chipRateHz / (1 + timeScale)
        return start * Double(BandDecimator.factor) + BandDecimator.timeOffsetSamples
            - rampSeconds * BandDecimator.inputRateHz
    }
}
