import Glibc
import Signal

/// Candidates → frames: a glance at each, more where it may help, and what repeats say together. Knows what has been heard.
///
///     candidate ─ Tracker ─▶ looks ─ DSSSFrameDecoder ─▶ evident? ─▶ FrameLedger
///                              └──── not alone ──▶ LookMemory
struct CandidateReader: Sendable {
    /// Candidates of a block looked at, best first.
    private static let attempts = 8
    /// Nats of pilots that earn a glance: less this than the hypotheses of a second, so that noise earns a few a
    /// second whatever the profile; and for a combination, which decodes far below.
    private static let glanceAllowance: Float = 2.87
    private static let combinedThreshold: Float = 13.5
    /// More, where there is no energy for a room, which loses 3 of 2000 `dsss` frames at their threshold. Of few clusters' pilots two more
    /// would lose one frame in twenty: they are not asked for more.
    private static let directExcess: Float = 1
    /// Nats beyond a glance that looks at different candidates need together to be decoded as one.
    private static let combinedExcess: Float = 3
    /// Nats of evidence that earn the next effort; and of the code alone, which noise has some −8 of, and a frame that
    /// needs the effort hardly less. Other sounds and the side lobes of strong frames have −20, whatever their pilots.
    private static let quickThreshold: (evidence: Float, code: Float) = (6, -16)
    private static let deepThreshold: (evidence: Float, code: Float) = (10.5, -13)
    /// Nats of pilots that noise reaches once in some minutes: worth every effort, whatever a glance says of rooms.
    private static let prominentScore: Float = 19

    /// Nats of the code alone that leave no doubt of a frame: no other reading of it comes near.
    private static let certainCode: Float = 40
    /// Doppler within which looks may be of one sender.
    private static let repeatDopplerHz = 2.5

    private let profile: DSSSProfile
    private let segmentSpanSamples: Int
    private let glanceThreshold: Float
    private let directThreshold: Float
    private var tracker: Tracker
    private var decoder: DSSSFrameDecoder
    private var ledger: FrameLedger
    /// What repeats are combined from, for profiles that do not repeat within a frame.
    private var lookMemory: LookMemory<Look>?
    /// Where the searched starts end.
    private var horizon = 0
    /// Of deep and combined decodings.
    private var budget = EffortBudget(perSecond: 10, burst: 240)
    var statistics = ReceiverStatistics()
    private let observer: (any ReceiverObserver)?

    init(grid: SearchGrid, observer: (any ReceiverObserver)?) {
        let profile = grid.profile
        self.profile = profile
        self.observer = observer
        segmentSpanSamples = grid.segmentSpanSamples
        lookMemory =
            profile.segmentCount > 1
            ? nil
            : LookMemory(
                capacity: 24, rateHz: profile.band.rateHz,
                frameSamples: Double(profile.segmentChipCount) / profile.chipRateHz
                    * profile.band.rateHz,
                greatestChange: CandidateReader.repeatDopplerHz / profile.carrierHz)
        glanceThreshold = Float(log(grid.hypothesesPerSecond)) - CandidateReader.glanceAllowance
        let hasMany = grid.clusterCount > ClusterGate.manyClusters
        directThreshold = glanceThreshold + (hasMany ? CandidateReader.directExcess : 0)
        tracker = Tracker(profile: profile)
        decoder = DSSSFrameDecoder(profile: profile)
        // As late as the RAKE reads: a start so much too early decodes, too, and is the same frame.
        ledger = FrameLedger(
            neighbourhood: Double(TapLoads.tapCount - TapLoads.referenceTap) * grid.samplesPerChip,
            rateHz: profile.band.rateHz,
            segmentSpacing: Double(profile.segmentChipCount) * grid.samplesPerChip,
            segmentCount: profile.segmentCount)
    }

    /// Of hypotheses that are one frame's, baseband samples.
    var neighbourhood: Double { ledger.neighbourhood }

    /// Whether any frame has been heard near `start`.
    func isClaimed(near start: Double) -> Bool { ledger.isClaimed(near: start) }

    /// What may be spent on so much more sound.
    mutating func refill(seconds: Double) { budget.refill(seconds: seconds) }

    /// The reports of frames that begin before `start` and of those beyond doubt, each once.
    mutating func settle(before start: Double) -> [DecodeReport] {
        let reports = ledger.settle(before: start)
        statistics.reports += reports.count
        return reports
    }

    mutating func forget(before start: Double) { ledger.forget(before: start) }

    /// - Parameters:
    ///   - candidates: of one search, best first.
    ///   - open: the starts that were searched, in order, at least one; reference paths may stand beside them.
    ///   - mayBeRooms: whether there is energy enough for rooms without a path that stands out.
    ///   - horizon: where the starts searched so far end.
    mutating func read(
        _ candidates: [Candidate], _ plan: BurstPlan, _ baseband: BasebandWindow, _ open: [OpenStarts],
        mayBeRooms: Bool, horizon: Int
    ) {
        statistics.candidates += candidates.count
        self.horizon = max(self.horizon, horizon)
        let threshold =
            plan.combinesRepeats
            ? CandidateReader.combinedThreshold : mayBeRooms ? glanceThreshold : directThreshold
        let frames = plan.combinesRepeats ? plan.segmentCount : 1
        for rank in candidates.indices {
            let candidate = candidates[rank]
            let threshold = threshold + OpenStarts.nearest(Int(candidate.start), of: open).energy.missingNats
            guard rank < CandidateReader.attempts, candidate.score >= threshold else {
                let outcome = candidate.score < threshold ? CandidateTrace.Outcome.faint : .crowded
                settle(outcome, candidate, frames: frames, nats: candidate.score)
                continue
            }
            if isKnown(candidate, plan) {
                settle(.known, candidate, frames: frames, nats: candidate.score)
                continue
            }
            let looks = looks(at: tracker.refine(candidate, plan, baseband), plan, baseband)
            if !tryHard(looks, nats: candidate.score, frames: frames), frames == 1,
                !tryOnTwinLane(looks, nats: candidate.score)
            {
                combine(looks)
            }
        }
    }

    /// What a glance does not make certain is left to the search of all starts. Whether it did.
    mutating func readPromptly(
        _ candidate: Candidate, _ plan: BurstPlan, _ baseband: BasebandWindow
    ) -> Bool {
        guard candidate.score >= glanceThreshold, !ledger.covers(candidate) else { return false }
        let looks = looks(at: tracker.refine(candidate, plan, baseband), plan, baseband)
        var detections = Detections(looks)
        let result = decoder.decode(
            &detections, pilotNats: candidate.score, effort: .glance, isStrained: budget.isStrained,
            statistics: &statistics)
        guard let frame = result.frame, frame.evidence - candidate.score > CandidateReader.certainCode,
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
            guard nats > glanceThreshold + CandidateReader.combinedExcess else { continue }
            if tryHard(all, nats: nats, frames: all.count) { return }
        }
        lookMemory?.remember(looks[0])
    }

    private func isOvershadowed(_ looks: [Look]) -> Bool {
        let span = Double(segmentSpanSamples * looks.count)
        return looks.contains {
            ledger.overshadows($0.candidate, within: span, before: Double(horizon))
        }
    }

    /// A glance, and more where it may help. Whether a frame was accepted.
    private mutating func tryHard(_ looks: [Look], nats: Float, frames: Int) -> Bool {
        let isProminent = frames == 1 && nats > CandidateReader.prominentScore
        var outcome = CandidateTrace.Outcome.unlikely
        var detections = Detections(looks)
        var result = attempt(&detections, nats, .glance)
        func isWorthMore(_ threshold: (evidence: Float, code: Float)) -> Bool {
            result.frame == nil && (isProminent || result.evidence > threshold.evidence)
                && result.evidence - nats > threshold.code
        }
        if isWorthMore(CandidateReader.quickThreshold) {
            outcome = .undecoded
            result = attempt(&detections, nats, .quick)
            if isWorthMore(CandidateReader.deepThreshold), !isOvershadowed(looks) {
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

    /// A strong frame that did not decode, on the lane it may be on as well. Whether it was accepted.
    private mutating func tryOnTwinLane(_ looks: [Look], nats: Float) -> Bool {
        guard nats > CandidateReader.prominentScore, looks.count == 1,
            let lane = LaneTwin.lane(looks[0], profile.pilots)
        else { return false }
        var twin = looks[0]
        twin.candidate.lane = lane
        return tryHard([twin], nats: nats, frames: 1)
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
            startSeconds: startSample(candidate.start, candidate.timeScale) / Receiver.sampleRateHz,
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
                budget.spend(statistics.decodings - before)
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
            heard = heard.filter { decoder.match(frame, $0) > CandidateReader.leastMatch }
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
                    soundingPart: measured.soundingPart, isCertain: isCertain))
        }
        return true
    }

    /// From the first chip after the ramp, in baseband samples, to the ramp's start at 48 kHz.
    private func startSample(_ start: Double, _ timeScale: Double) -> Double {
        let rampSeconds = Double(profile.rampChipCount + 1) / profile.chipRateHz / (1 + timeScale)
        return profile.band.soundSample(start) - rampSeconds * Receiver.sampleRateHz
    }
}
