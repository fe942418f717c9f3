import Glibc
import Signal

/// A receiver for one profile, from the tone field to reports: acquisition, tracker, demodulator and decoder,
/// a block of starts at a time.
struct FSKReceiver: Sendable {
    /// The number of candidates of a block that are decoded, best first.
    static let attempts = 12
    /// The number of those that may stand at about the same start on one lane.
    static let mostLikes = 2
    /// The number of repeats of a block that are decoded together.
    static let repeatAttempts = 6
    /// The number of pieces of frames that a block keeps.
    private static let mostPieces = 4
    /// The number of exact looks that take as long as the search for another piece.
    static let searchLooks = 4
    /// The number of looks and decodings, half a millisecond each, after which the rest of a block's work
    /// waits for the next sound.
    private static let usualEffort = 4
    /// The number of blocks that may lie behind; if more do, none of their work waits.
    private static let mostBlocksBehind = 4

    let profile: FSKProfile
    let gate = AcceptanceGate.fsk()
    private var acquisition: FSKAcquisition
    var reader: FSKFrameReader
    var deduplicator: FrameDeduplicator
    /// The candidates that were not looked at yet.
    private var pending: [FSKCandidate] = []
    private var pendingRepeats: [FSKRepeatSearch.Candidate] = []
    /// The pieces of frames that may have been cut.
    private var pendingPieces: [FSKCandidate] = []
    /// The block whose candidates are being looked at.
    private var block: FSKBlock?
    /// The steps for which a candidate waits for better ones that may explain it.
    private let waitSteps: Int
    /// The length of the longest frame.
    private let longestSamples: Double
    var budget = FSKBudget()
    var chance: ChanceBound
    /// The samples at 48 kHz that were skipped, which no step counts.
    private var skippedSamples: Int64 = 0
    /// The step where the next block of starts begins.
    private var nextStep: SamplePosition
    var statistics = ReceiverStatistics()
    private let observer: (any ReceiverObserver)?

    /// - Parameter chanceWordReserve: as in ``ReceiverOptions``.
    init(
        profile: FSKProfile, field: ToneField, chanceWordReserve: Double, observer: (any ReceiverObserver)?
    ) {
        (self.profile, self.observer) = (profile, observer)
        acquisition = FSKAcquisition(profile: profile, field: field)
        reader = FSKFrameReader(profile: profile)
        deduplicator = FrameDeduplicator(
            neighbourhood: Double(4 * profile.tones.symbolSamples), rateHz: profile.tones.basebandRateHz)
        chance = ChanceBound(
            reserve: chanceWordReserve, rateHz: profile.tones.basebandRateHz,
            frameSamples: Double(profile.searchedSymbolCount * profile.tones.symbolSamples))
        nextStep = 4
        waitSteps = acquisition.reachSteps
        longestSamples = profile.durationSeconds(.long) * profile.tones.basebandRateHz
    }

    /// Returns the number of steps of the field that a block needs.
    static func reachSteps(_ profile: FSKProfile) -> Int {
        (profile.searchedSymbolCount + 1) * TonePlan.stepsPerSymbol
    }

    /// The oldest step whose noise is still needed: repeats that are read together reach back to it, and each
    /// of their frames is weighed by the noise of its own time.
    var oldestNoiseStep: SamplePosition {
        let waiting = pendingRepeats.lazy.map { $0.frames.last!.start }.min() ?? .infinity
        let candidates = pending.lazy.map { $0.start }.min() ?? .infinity
        let pieces = pendingPieces.lazy.map { $0.start }.min() ?? .infinity
        let searched = Double((oldestStep - acquisition.repeatSteps) * profile.tones.stepSamples)
        return SamplePosition(min(waiting, candidates, pieces, searched)) / profile.tones.stepSamples
    }

    /// The oldest step of the field that the next search reads.
    var oldestFieldStep: SamplePosition { nextStep - FSKAcquisition.peakSteps }

    /// The oldest step that is still searched, and the oldest baseband sample that is still needed.
    private var oldestStep: SamplePosition { nextStep - waitSteps - 2 * ToneField.blockSteps }
    var oldestSample: SamplePosition {
        oldestNoiseStep * profile.tones.stepSamples - reader.tracker.reach(.long).before
    }

    /// The number of zero samples that flush everything out at the end of a recording.
    var flushSamples: Int {
        reader.tracker.reach(.long).after
            + FSKSplice.reachSamples(profile.tones)
            + (5 * ToneField.blockSteps + acquisition.reachSteps + waitSteps)
            * profile.tones.stepSamples
    }

    /// Continues the block under way, or begins the next one once the field holds all of it. Returns true if
    /// there was anything to do. The call is made for every ``FSKBand/piece`` of sound, so that no call takes
    /// long and work falls at the same samples whatever the chunks.
    mutating func advance(
        _ field: ToneField, _ baseband: BasebandRing, into reports: inout [DecodeReport]
    ) -> Bool {
        if block == nil {
            guard isReady(field, baseband) else { return false }
            beginBlock(field)
        }
        let isLate =
            field.end > nextStep + (2 + FSKReceiver.mostBlocksBehind) * ToneField.blockSteps
            + acquisition.reachSteps
        var effort = isLate ? Int.max : FSKReceiver.usualEffort
        while effort > 0 {
            guard let spent = workOn(field, baseband) else {
                endBlock(into: &reports)
                break
            }
            effort -= spent
        }
        return true
    }

    private func isReady(_ field: ToneField, _ baseband: BasebandRing) -> Bool {
        field.end > nextStep + 2 * ToneField.blockSteps + acquisition.reachSteps
            && baseband.end > (nextStep + ToneField.blockSteps) * profile.tones.stepSamples
                + reader.tracker.reach(.short).after
    }

    private mutating func beginBlock(_ field: ToneField) {
        let seconds =
            Double(ToneField.blockSteps * profile.tones.stepSamples) / profile.tones.basebandRateHz
        budget.refill(seconds: seconds)
        chance.refill(seconds: seconds)
        let known = pending.count
        var pieces: [FSKCandidate] = []
        acquisition.search(
            field, from: nextStep, least: Thresholds.fsk.coarseNats, into: &pending,
            repeats: &pendingRepeats, pieces: &pieces)
        keep(pieces)
        statistics.candidates += Int64(pending.count - known)
        let due = Double((nextStep - waitSteps) * profile.tones.stepSamples)
        pending.sort { $0.rank > $1.rank }
        pendingRepeats.sort { $0.score > $1.score }
        // The block includes candidates that a frame after them could have explained by now, and all that
        // rank above them.
        let last = pending.lastIndex { $0.start < due }
        block = FSKBlock(dueStart: due, candidateCount: last.map { $0 + 1 } ?? 0)
    }

    /// Looks at one more candidate: single frames first, then repeats. Returns the effort it took, or `nil`
    /// if no candidate is left.
    private mutating func workOn(_ field: ToneField, _ baseband: BasebandRing) -> Int? {
        guard var block else { return nil }
        self.block = nil  // not shared while it grows
        defer { self.block = block }
        let before = statistics.decodings
        var looks = 0
        if block.place < block.candidateCount {
            looks = look(pending[block.place], &block, field, baseband)
            block.place += 1
            if block.place == block.candidateCount {
                pending.replaceSubrange(..<block.place, with: block.waiting)
            }
        } else if !block.hasReadRepeats, block.repeatPlace < pendingRepeats.count {
            looks = look(pendingRepeats[block.repeatPlace], &block, field, baseband)
            block.repeatPlace += 1
            if block.repeatPlace == pendingRepeats.count {
                pendingRepeats = block.waitingRepeats
                block.hasReadRepeats = true
            }
        } else if let place = pendingPieces.firstIndex(where: { isReady($0, block) }) {
            looks = lookAtPiece(pendingPieces.remove(at: place), field, baseband)
        } else {
            return nil
        }
        return looks + Int(statistics.decodings - before)
    }

    /// Keeps the likeliest pieces of a block, at most one about each start and lane.
    private mutating func keep(_ pieces: [FSKCandidate]) {
        let near = Double(profile.tones.symbolSamples) / 2
        var chosen: [FSKCandidate] = []
        for piece in pieces.sorted(by: { $0.rank > $1.rank }) where chosen.count < FSKReceiver.mostPieces {
            if chosen.allSatisfy({ abs($0.start - piece.start) > near || $0.lane != piece.lane }) {
                chosen.append(piece)
            }
        }
        pendingPieces += chosen
    }

    private mutating func endBlock(into reports: inout [DecodeReport]) {
        block = nil
        nextStep += ToneField.blockSteps
        settle(into: &reports)
    }

    /// Moves the clock on; see ``FamilyReceiver/skip(samples:)``.
    mutating func skip(samples: Int64) {
        skippedSamples += samples
        reader.memory.forgetAll()
    }

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout FSKReceiver) {
        acquisition.exchangeScratch(with: &other.acquisition)
        reader.exchangeScratch(with: &other.reader)
    }

    private mutating func settle(into reports: inout [DecodeReport]) {
        let searched = Double((nextStep - waitSteps) * profile.tones.stepSamples)
        let settled = deduplicator.settle(before: searched - 2 * deduplicator.neighbourhood)
        statistics.reports += Int64(settled.count)
        if !settled.isEmpty { reports += settled }
        // Repeats must not be made of a frame that was heard, as long as they reach back to it.
        let reach = Double(oldestNoiseStep * profile.tones.stepSamples) - deduplicator.neighbourhood
        deduplicator.forget(before: min(searched - longestSamples, reach))
    }

    /// Returns the sound about a candidate, with gains that bring its tones to unit mean noise energy.
    func sound(_ candidate: FSKCandidate, _ field: ToneField, _ baseband: BasebandRing) -> FSKSound {
        let step = SamplePosition(candidate.start) / profile.tones.stepSamples + acquisition.reachSteps / 2
        let noise = field.noise(at: step)
        let gains = (0..<profile.tones.allToneCount).map { tone in
            let bin = field.bin(ofTone: tone, timeScale: candidate.timeScale)
            return 1 / noise[min(max(bin, 0), noise.count - 1)].squareRoot()
        }
        return FSKSound(baseband: baseband, gains: gains)
    }

    /// - Parameter earlier: the repeats that helped to hear it.
    mutating func accept(
        _ frame: FSKFrameDecoder.Frame, _ trial: FSKTrial, earlier: [FSKCandidate] = [],
        lastPiece: FSKTracker.Setting? = nil
    ) {
        let measurement = FSKMeasurement(profile: profile, lane: trial.lane, sound: trial.sound)
        var (report, start) = measurement.report(frame, repeats: 1 + earlier.count, &reader)
        report.startSample += Double(skippedSamples)
        func claim(start: Double, score: Float, _ report: DecodeReport?) {
            reader.memory.forget(near: start, within: deduplicator.neighbourhood)
            deduplicator.add(
                FrameDeduplicator.Entry(
                    start: start, lane: trial.lane, evidence: frame.evidence, pilotScore: score,
                    report: report))
        }
        claim(start: start, score: trial.score, report)
        for frame in earlier { claim(start: frame.start, score: frame.score, nil) }
        if let lastPiece { claim(start: lastPiece.start, score: trial.score, nil) }
    }

    /// Counts the outcome of a candidate, and reports it to the observer.
    mutating func settle(
        _ outcome: CandidateTrace.Outcome, _ candidate: FSKCandidate, nats: Float,
        _ attempt: FSKFrameDecoder.Attempt = FSKFrameDecoder.Attempt()
    ) {
        statistics.count(outcome)
        guard let observer else { return }
        let middleHz = profile.tones.frequencyHz(ofTone: profile.tones.allToneCount / 2)
        observer.settled(
            CandidateTrace(
                outcome: outcome, profile: WaveformProfile(profile),
                startSeconds: Double(skippedSamples) / Receiver.sampleRateHz
                    + (candidate.start - Double(profile.tones.leadSamples)) / profile.tones.basebandRateHz
                    - FSKProfile.rampSeconds,
                speedMetersPerSecond: Float(candidate.timeScale * SearchGrid.soundSpeed),
                carrierOffsetHz: Float(candidate.timeScale * middleHz), lane: candidate.lane, repeats: 1,
                pilotNats: nats, evidenceNats: attempt.evidence > -.infinity ? attempt.evidence : nil,
                neededNats: attempt.neededNats))
    }
}
