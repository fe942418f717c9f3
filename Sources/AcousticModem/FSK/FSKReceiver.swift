import Glibc
import Signal

/// Tone field → reports for one profile: acquisition, tracker, demodulator and decoder, a block of starts at a time.
struct FSKReceiver: Sendable {
    /// Nats that earn an exact look; then a search for phases. Noise has them every two seconds, and not once in a minute. With 6 and
    /// 5 it was each second and every nine, two thirds of listening, and of 300 frames at 3.5 dB 277 were heard instead of 273; with
    /// 9 and 10 263 are.
    private static let coarseThreshold: Float = 8
    private static let phaseThreshold: Float = 8
    /// Nats that the second pass of the tracker may add.
    private static let secondPassGain: Float = 2
    /// Candidates decoded at a time, best first.
    private static let attempts = 12
    /// Of those, at about the same start on one lane.
    private static let mostLikes = 2
    /// Nats of contrast that make a candidate a sender of its own, within another's frame.
    private static let ownContrast: Float = 6
    /// And without which a candidate is out of step with what sounds; where it is loud, a sync tone that the room took
    /// away costs more.
    private static let leastContrast: Float = -10
    private static let contrastShare: Float = 0.05
    /// Nats of a candidate that is remembered for its repeats.
    private static let repeatThreshold: Float = 2
    /// Of a block, repeats that are decoded together.
    private static let repeatAttempts = 6

    let profile: FSKProfile
    private var acquisition: FSKAcquisition
    private var reader: FSKFrameReader
    private var ledger: FrameLedger
    /// Candidates that were not looked at yet.
    private var pending: [FSKCandidate] = []
    private var pendingRepeats: [FSKRepeatSearch.Candidate] = []
    /// How long a candidate waits for better ones that may have brought it about.
    private let waitSteps: Int
    /// Of the longest frame.
    private let longestSamples: Double
    private var budget = FSKBudget()
    /// Where the next block of starts begins, in steps.
    private var nextStep: Int
    private(set) var statistics = ReceiverStatistics()
    private let observer: (any ReceiverObserver)?

    init(profile: FSKProfile, field: ToneField, observer: (any ReceiverObserver)?) {
        (self.profile, self.observer) = (profile, observer)
        acquisition = FSKAcquisition(profile: profile, field: field)
        reader = FSKFrameReader(profile: profile)
        ledger = FrameLedger(
            neighbourhood: Double(4 * profile.tones.symbolSamples), rateHz: profile.tones.basebandRateHz)
        nextStep = 4
        waitSteps = acquisition.reachSteps
        longestSamples = profile.durationSeconds(.long) * profile.tones.basebandRateHz
    }

    /// Steps of the field that a block needs.
    static func reachSteps(_ profile: FSKProfile) -> Int {
        (profile.searchedSymbolCount + 1) * TonePlan.stepsPerSymbol
    }

    /// The oldest step whose noise is still needed: repeats that are read together are as old as that, and each of their frames is
    /// weighed by the noise of its own time.
    var oldestNoiseStep: Int {
        let waiting = pendingRepeats.lazy.map { $0.frames.last!.start }.min() ?? .infinity
        let candidates = pending.lazy.map { $0.start }.min() ?? .infinity
        let searched = Double((oldestStep - acquisition.repeatSteps) * profile.tones.stepSamples)
        return Int(min(waiting, candidates, searched)) / profile.tones.stepSamples
    }

    /// The oldest step that is still searched, and the oldest baseband sample that is still needed.
    private var oldestStep: Int { nextStep - waitSteps - 2 * ToneField.blockSteps }
    var oldestSample: Int {
        oldestNoiseStep * profile.tones.stepSamples - reader.tracker.reach(.long).before
    }

    /// Zeros that flush everything out at the end of a recording.
    var flushSamples: Int {
        reader.tracker.reach(.long).after + (5 * ToneField.blockSteps + acquisition.reachSteps + waitSteps)
            * profile.tones.stepSamples
    }

    mutating func search(_ field: ToneField, _ baseband: BasebandWindow, into reports: inout [DecodeReport]) {
        while field.end > nextStep + 2 * ToneField.blockSteps + acquisition.reachSteps,
            baseband.end > (nextStep + ToneField.blockSteps) * profile.tones.stepSamples
                + reader.tracker.reach(.short).after
        {
            let seconds =
                Double(ToneField.blockSteps * profile.tones.stepSamples) / profile.tones.basebandRateHz
            budget.refill(seconds: seconds)
            let known = pending.count
            acquisition.search(
                field, from: nextStep, least: FSKReceiver.coarseThreshold, into: &pending,
                repeats: &pendingRepeats)
            statistics.candidates += pending.count - known
            look(field, baseband)
            lookAtRepeats(field, baseband)
            nextStep += ToneField.blockSteps
            settle(into: &reports)
        }
    }

    private mutating func settle(into reports: inout [DecodeReport]) {
        let searched = Double((nextStep - waitSteps) * profile.tones.stepSamples)
        let settled = ledger.settle(before: searched - 2 * ledger.neighbourhood)
        statistics.reports += settled.count
        if !settled.isEmpty { reports += settled }
        ledger.forget(before: searched - longestSamples)
    }

    /// Looks at the best candidates first: at those that a frame after them could have explained by now, and at those
    /// that are better. What may be a longer frame waits for all of it, and what that may explain waits with it.
    private mutating func look(_ field: ToneField, _ baseband: BasebandWindow) {
        let due = Double((nextStep - waitSteps) * profile.tones.stepSamples)
        pending.sort { $0.rank > $1.rank }
        guard let last = pending.lastIndex(where: { $0.start < due }) else { return }
        var attempts = 0
        var tried: [FSKCandidate] = []
        var waiting: [FSKCandidate] = []
        for candidate in pending[...last] {
            if isExplained(candidate) {
                settle(.known, candidate, nats: candidate.score)
                continue
            }
            if mustWait(candidate, baseband) || waiting.contains(where: { mayExplain($0, candidate) }) {
                waiting.append(candidate)
                continue
            }
            let likes = tried.count {
                $0.lane == candidate.lane
                    && abs($0.start - candidate.start) < Double(profile.tones.symbolSamples) / 2
            }
            guard attempts < FSKReceiver.attempts, likes < FSKReceiver.mostLikes else {
                settle(.crowded, candidate, nats: candidate.score)
                continue
            }
            guard budget.takeLook() else {
                settle(.unaffordable, candidate, nats: candidate.score)
                continue
            }
            tried.append(candidate)
            let gains = gains(candidate, field)
            let settings = reader.tracker.refine(
                candidate, baseband, gains: gains,
                least: FSKReceiver.phaseThreshold - FSKReceiver.secondPassGain)
            let classes =
                settings[0].score < FSKReceiver.phaseThreshold
                ? [] : reader.likelyClasses(settings[0], candidate.lane, baseband, gains: gains)
            if candidate.awaited == nil, let longest = classes.first,
                isShort(baseband, of: longest, candidate)
            {
                waiting.append(candidate)
                waiting[waiting.count - 1].awaited = longest
                continue
            }
            attempts += decode(candidate, settings, classes, baseband, gains: gains) ? 1 : 0
        }
        pending.replaceSubrange(...last, with: waiting)
    }

    /// Repeats of which none was heard alone, when their last one's turn has been.
    private mutating func lookAtRepeats(_ field: ToneField, _ baseband: BasebandWindow) {
        let due = Double((nextStep - waitSteps) * profile.tones.stepSamples)
        pendingRepeats.sort { $0.score > $1.score }
        var attempts = 0
        var waiting: [FSKRepeatSearch.Candidate] = []
        for repeats in pendingRepeats {
            let newest = repeats.frames[0]
            guard newest.start < due, !isShort(baseband, of: repeats.tokenClass, newest) else {
                waiting.append(repeats)
                continue
            }
            guard attempts < FSKReceiver.repeatAttempts, budget.mayReadRepeats, !isExplained(newest),
                !repeats.frames.contains(where: { ledger.isClaimed(near: $0.start) })
            else { continue }
            attempts += 1
            budget.spend(repeats: repeats.frames.count)
            let gains = repeats.frames.map { self.gains($0, field) }
            let attempt = reader.read(repeats, baseband, gains: gains, statistics: &statistics)
            guard let frame = attempt.frame else { continue }
            accept(
                frame, newest, score: repeats.score / Float(repeats.frames.count), baseband,
                gains: gains[0], earlier: Array(repeats.frames.dropFirst()))
        }
        pendingRepeats = waiting
    }

    private func mustWait(_ candidate: FSKCandidate, _ baseband: BasebandWindow) -> Bool {
        guard let awaited = candidate.awaited else { return false }
        return isShort(baseband, of: awaited, candidate)
    }

    /// Whether the end of a frame is still to come.
    private func isShort(
        _ baseband: BasebandWindow, of tokenClass: TokenClass, _ candidate: FSKCandidate
    ) -> Bool { baseband.end < Int(candidate.start) + reader.tracker.reach(tokenClass).after }

    /// Whether a candidate may be made of the symbols of a longer frame.
    private func mayExplain(_ longer: FSKCandidate, _ candidate: FSKCandidate) -> Bool {
        guard let awaited = longer.awaited, candidate.contrast < FSKReceiver.ownContrast else { return false }
        let symbols = reader.decoder.layout(awaited, lane: longer.lane).symbolCount
        return abs(candidate.start - longer.start) < Double(symbols * profile.tones.symbolSamples)
    }

    /// Whether a frame that was heard has brought a candidate about: it is the same one, or out of step with it.
    private func isExplained(_ candidate: FSKCandidate) -> Bool {
        ledger.covers(start: candidate.start, score: candidate.score, lane: candidate.lane)
            || candidate.contrast < FSKReceiver.ownContrast
                && ledger.overlaps(
                    start: candidate.start, score: candidate.score,
                    span: Double(profile.searchedSymbolCount * profile.tones.symbolSamples))
    }

    /// Whether it was worth an attempt.
    private mutating func decode(
        _ candidate: FSKCandidate, _ settings: [FSKTracker.Setting], _ classes: [TokenClass],
        _ baseband: BasebandWindow, gains: [Float]
    ) -> Bool {
        let score = settings[0].score
        let before = statistics.decodings
        var isHeard = false
        // Frames that are heard are bounded by the air they take.
        defer { if !isHeard { budget.spend(decodings: statistics.decodings - before) } }
        guard score >= FSKReceiver.phaseThreshold else {
            isHeard =
                score >= FSKReceiver.repeatThreshold && budget.mayDecode(isDistinct: false)
                && combine(candidate, settings[0], .short, baseband, gains: gains)
            settle(isHeard ? .heard : .faint, candidate, nats: score)
            return isHeard
        }
        guard settings[0].contrast >= FSKReceiver.leastContrast - FSKReceiver.contrastShare * score else {
            settle(.unlikely, candidate, nats: score)
            return false
        }
        guard budget.mayDecode(isDistinct: settings[0].contrast >= FSKReceiver.ownContrast) else {
            settle(.unaffordable, candidate, nats: score)
            return false
        }
        let attempt = reader.read(
            settings, classes, candidate.lane, baseband, gains: gains, statistics: &statistics)
        if let frame = attempt.frame {
            accept(frame, candidate, score: score, baseband, gains: gains)
        }
        isHeard =
            attempt.frame != nil || combine(candidate, settings[0], classes[0], baseband, gains: gains)
        settle(isHeard ? .heard : .undecoded, candidate, nats: score, attempt.evidence)
        return true
    }

    /// A frame that did not decode alone, with earlier ones. Whether a token was heard.
    private mutating func combine(
        _ candidate: FSKCandidate, _ setting: FSKTracker.Setting, _ tokenClass: TokenClass,
        _ baseband: BasebandWindow, gains: [Float]
    ) -> Bool {
        let repeats = reader.combine(
            candidate, setting, tokenClass, baseband, gains: gains, statistics: &statistics)
        guard let repeats else { return false }
        accept(
            repeats.frame, candidate, score: setting.score, baseband, gains: gains,
            earlier: repeats.earlier.map { $0.candidate })
        return true
    }

    /// What brings each tone to unit mean noise energy, at the candidate's Doppler.
    private func gains(_ candidate: FSKCandidate, _ field: ToneField) -> [Float] {
        let step = Int(candidate.start) / profile.tones.stepSamples + acquisition.reachSteps / 2
        let noise = field.noise(at: step)
        return (0..<profile.tones.allToneCount).map { tone in
            let bin = field.bin(ofTone: tone, timeScale: candidate.timeScale)
            return 1 / noise[min(max(bin, 0), noise.count - 1)].squareRoot()
        }
    }

    /// - Parameter earlier: repeats that helped to hear it.
    private mutating func accept(
        _ frame: FSKFrameDecoder.Frame, _ candidate: FSKCandidate, score: Float, _ baseband: BasebandWindow,
        gains: [Float], earlier: [FSKCandidate] = []
    ) {
        let measurement = FSKMeasurement(profile: profile, lane: candidate.lane, gains: gains)
        let (report, start) = measurement.report(
            frame, baseband, repeats: 1 + earlier.count, &reader)
        func claim(start: Double, score: Float, _ report: DecodeReport?) {
            reader.memory.forget(near: start, within: ledger.neighbourhood)
            ledger.add(
                FrameLedger.Entry(
                    start: start, lane: candidate.lane, evidence: frame.evidence, pilotScore: score,
                    report: report))
        }
        claim(start: start, score: score, report)
        for frame in earlier { claim(start: frame.start, score: frame.score, nil) }
    }

    /// Counts what became of a candidate, and tells the observer.
    private mutating func settle(
        _ outcome: CandidateTrace.Outcome, _ candidate: FSKCandidate, nats: Float, _ evidence: Float? = nil
    ) {
        statistics.count(outcome)
        guard let observer else { return }
        let middleHz = profile.tones.frequencyHz(ofTone: profile.tones.allToneCount / 2)
        observer.settled(
            CandidateTrace(
                outcome: outcome, profile: WaveformProfile(profile),
                startSeconds: (candidate.start - Double(profile.tones.leadSamples))
                    / profile.tones.basebandRateHz
                    - FSKProfile.rampSeconds,
                speedMetersPerSecond: Float(candidate.timeScale * SearchGrid.soundSpeed),
                carrierOffsetHz: Float(candidate.timeScale * middleHz), lane: candidate.lane, repeats: 1,
                pilotNats: nats, evidenceNats: evidence))
    }
}
