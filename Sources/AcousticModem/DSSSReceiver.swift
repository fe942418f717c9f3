import Glibc
import Signal

/// Baseband → reports for one profile: the chain of acquisition, tracker, demodulator and decoder, a block of starts
/// at a time.
///
///     candidates ─▶ a glance at each ─ evident? ─▶ quick decoding ─ more evident? ─▶ deep decoding
struct DSSSReceiver: Sendable {
    /// Starts searched at once: half a second, counted from the first sample, whatever the chunks.
    private static let blockSamples = 1200
    /// Candidates of a block looked at, best first.
    private static let attempts = 8
    /// Nats of pilots that earn a glance: less this than the hypotheses of a second, so that noise earns a few a
    /// second whatever the profile; and for a combination, which decodes far below.
    private static let glanceAllowance: Float = 2.87
    private static let combinedThreshold: Float = 13.5
    /// Nats of evidence that earn the next effort.
    private static let quickThreshold: Float = 6
    private static let deepThreshold: Float = 10.5
    /// Nats of pilots that noise reaches once a minute or two: worth every effort, whatever a glance says of rooms.
    private static let prominentScore: Float = 17

    let profile: WaveformProfile
    private var field: ClusterField
    private var searches: [(acquisition: Acquisition, nextStart: Int)]
    private let glanceThreshold: Float
    private var tracker: Tracker
    private var decoder: FrameDecoder
    private var ledger: FrameLedger
    private var budget = DecodeBudget()
    private(set) var statistics = ReceiverStatistics()
    /// Nil unless they are wanted.
    private var traces: [CandidateTrace]?

    init(profile: WaveformProfile, isTracing: Bool = false) {
        self.profile = profile
        traces = isTracing ? [] : nil
        let grid = SearchGrid(profile: profile)
        var plans = [BurstPlan.frame(of: profile)]
        if profile.segmentCount == 1 { plans.append(.repeats(2, of: profile)) }
        searches = plans.map { (Acquisition(plan: $0, grid: grid), 0) }
        let reach = searches.map { $0.acquisition.lookahead + $0.acquisition.lookbehind }.max()!
        field = ClusterField(grid: grid, keptSamples: reach + 4 * DSSSReceiver.blockSamples)
        let hypothesesPerSecond = Double(grid.binCount * grid.fineCount) * BandDecimator.outputRateHz
        glanceThreshold = Float(log(hypothesesPerSecond)) - DSSSReceiver.glanceAllowance
        tracker = Tracker(profile: profile)
        decoder = FrameDecoder(profile: profile)
        ledger = FrameLedger(
            neighbourhood: 64 * grid.samplesPerChip,
            segmentSpacing: Double(profile.segmentChipCount) * grid.samplesPerChip,
            segmentCount: profile.segmentCount)
        for index in searches.indices {
            searches[index].nextStart = field.start + searches[index].acquisition.lookbehind
        }
    }

    /// Zeros that flush everything out at the end of a recording.
    var flushSamples: Int {
        searches.map { $0.acquisition.lookahead }.max()! + 3 * DSSSReceiver.blockSamples
            + 2 * ClusterCorrelator.transformCount
    }

    /// The oldest baseband sample still needed.
    var oldestNeeded: Int {
        searches.map { $0.nextStart - $0.acquisition.lookbehind }.min()!
            - Tracker.reach(profile: profile).before
    }

    /// Takes fresh samples of `baseband`, which it must hold from ``oldestNeeded`` on; the same quanta on any input.
    mutating func process(_ fresh: ArraySlice<Complex>, _ baseband: BasebandWindow) -> [DecodeReport] {
        field.append(fresh)
        return searchReady(baseband)
    }

    private mutating func searchReady(_ baseband: BasebandWindow) -> [DecodeReport] {
        var reports: [DecodeReport] = []
        for index in searches.indices {
            while true {
                let starts = searches[index].nextStart..<searches[index].nextStart + DSSSReceiver.blockSamples
                let trackerReach =
                    Tracker.reach(profile: profile).after + searches[index].acquisition.burst.spanSamples
                // Single frames first: a pair is for what they do not decode.
                let patience = index == 0 ? 0 : DSSSReceiver.blockSamples
                guard field.end > starts.upperBound + searches[index].acquisition.lookahead + patience,
                    baseband.end > starts.upperBound + trackerReach + 256
                else { break }
                if index == 0 {
                    budget.refill(seconds: Double(starts.count) / BandDecimator.outputRateHz)
                }
                let candidates = searches[index].acquisition.search(
                    field, starts: starts, statistics: &statistics)
                statistics.candidates += candidates.count
                decode(candidates, searches[index].acquisition.burst.plan, baseband)
                searches[index].nextStart = starts.upperBound
            }
        }
        // A frame stays open for better hypotheses until every search has passed its neighbourhood.
        let searched = Double(searches[0].nextStart)
        reports += ledger.settle(before: searched - 2 * ledger.neighbourhood)
        statistics.reports += reports.count
        let oldest = searches.map { $0.nextStart - $0.acquisition.lookbehind }.min()!
        ledger.forget(before: Double(oldest) - 2 * ledger.neighbourhood)
        field.drop(before: oldest - 8)
        return reports
    }

    private mutating func decode(_ candidates: [Candidate], _ plan: BurstPlan, _ baseband: BasebandWindow) {
        let threshold = plan.combinesRepeats ? DSSSReceiver.combinedThreshold : glanceThreshold
        for (rank, candidate) in candidates.enumerated() {
            guard rank < DSSSReceiver.attempts, candidate.score >= threshold, budget.isOpen else {
                trace(candidate, plan, .acquisition, evidence: nil)
                continue
            }
            if isKnown(candidate, plan) { continue }
            let refined = tracker.refine(candidate, plan, baseband)
            let segments = (0..<plan.segmentCount).map { tracker.chips(refined, plan, segment: $0, baseband) }
            let (result, stage) = tryHard(segments, refined, plan)
            if let frame = result.frame {
                accept(frame, refined, plan, segments)
            } else {
                trace(refined, plan, stage, evidence: result.evidence)
            }
        }
    }

    /// A glance, and more where it may help; with where it ended.
    private mutating func tryHard(
        _ segments: [[Complex]], _ candidate: Candidate, _ plan: BurstPlan
    ) -> (FrameDecoder.Attempt, CandidateTrace.Stage) {
        let isProminent = !plan.combinesRepeats && candidate.score > DSSSReceiver.prominentScore
        var result = attempt(segments, candidate, plan, .glance)
        if result.frame != nil || !(isProminent || result.evidence > DSSSReceiver.quickThreshold) {
            return (result, .tracking)
        }
        result = attempt(segments, candidate, plan, .quick)
        let span = Double(field.grid.segmentSpanSamples * plan.segmentCount)
        if result.frame == nil && (isProminent || result.evidence > DSSSReceiver.deepThreshold)
            && !ledger.overshadows(candidate, within: span)
        {
            result = attempt(segments, candidate, plan, .deep, only: result.tokenClass)
        }
        return (result, .frame)
    }

    private mutating func trace(
        _ candidate: Candidate, _ plan: BurstPlan, _ stage: CandidateTrace.Stage, evidence: Float?
    ) {
        guard traces != nil else { return }
        let lost = CandidateTrace(
            stage: stage, profile: profile,
            startSeconds: startSample(candidate.start, candidate.timeScale) / BandDecimator.inputRateHz,
            speedMetersPerSecond: Float(candidate.timeScale * SearchGrid.soundSpeed), lane: candidate.lane,
            repeats: plan.combinesRepeats ? plan.segmentCount : 1, pilotNats: candidate.score,
            evidenceNats: evidence)
        traces!.append(lost)
    }

    /// The traces since the last call.
    mutating func takeTraces() -> [CandidateTrace] {
        guard let taken = traces else { return [] }
        traces = []
        return taken
    }

    private mutating func attempt(
        _ segments: [[Complex]], _ candidate: Candidate, _ plan: BurstPlan, _ effort: FrameDecoder.Effort,
        only: TokenClass? = nil
    ) -> FrameDecoder.Attempt {
        let before = statistics.decodings
        defer { budget.spend(decodings: statistics.decodings - before) }
        return decoder.decode(segments, candidate, plan, effort: effort, only: only, statistics: &statistics)
    }

    /// Whether a candidate adds nothing to the frames already heard. One of a pair heard by itself leaves the other
    /// to be heard by itself, too: together they would decode, and say nothing of the second.
    private func isKnown(_ candidate: Candidate, _ plan: BurstPlan) -> Bool {
        guard plan.combinesRepeats else { return ledger.covers(candidate) }
        return (0..<plan.segmentCount).contains {
            ledger.isClaimed(near: tracker.segmentStart(candidate, plan, $0))
        }
    }

    /// Nats that each frame of a combination must have by itself to count as heard.
    private static let leastMatch: Float = 10

    private mutating func accept(
        _ frame: DecodedFrame, _ candidate: Candidate, _ plan: BurstPlan, _ segments: [[Complex]]
    ) {
        let layout = decoder.layout(
            frame.tokenClass, lane: candidate.lane, segment: plan.layoutIndex(segment: 0))
        let sent = layout.chips(ofCodedBits: frame.codedBits)
        let measured = SignalMeasurement(segments[0], sent: sent)
        var frameStarts = [candidate.start]
        if plan.combinesRepeats {
            let heard = (0..<plan.segmentCount).filter {
                decoder.match(frame, segment: $0, segments, candidate, plan) > DSSSReceiver.leastMatch
            }
            frameStarts = heard.map { tracker.segmentStart(candidate, plan, $0) }
        }
        guard let first = frameStarts.first else { return }
        let report = DecodeReport(
            token: frame.token, profile: profile, startSample: startSample(first, candidate.timeScale),
            snrDecibels: measured.snrDecibels(profile: profile),
            ebN0Decibels: measured.ebN0Decibels(profile: profile, tokenByteCount: frame.token.count),
            speedMetersPerSecond: Float(candidate.timeScale * SearchGrid.soundSpeed),
            repeats: frameStarts.count, lane: candidate.lane)
        for start in frameStarts {
            ledger.add(
                FrameLedger.Entry(
                    start: start, lane: candidate.lane, evidence: frame.evidence, pilotScore: candidate.score,
                    report: start == first ? report : nil))
        }
    }

    /// From the first chip after the ramp, in baseband samples, to the ramp's start at 48 kHz.
    private func startSample(_ start: Double, _ timeScale: Double) -> Double {
        let rampSeconds = Double(profile.rampChipCount + 1) / profile.chipRateHz / (1 + timeScale)
        return start * Double(BandDecimator.factor) + BandDecimator.timeOffsetSamples
            - rampSeconds * BandDecimator.inputRateHz
    }
}
