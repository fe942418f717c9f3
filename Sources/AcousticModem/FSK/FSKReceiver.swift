import Glibc
import Signal

/// Tone field → reports for one profile: acquisition, tracker, demodulator and decoder, a block of starts at a time.
struct FSKReceiver: Sendable {
    /// Nats that earn an exact look; then a search for phases; and a decoding by energies. Noise has them once a second,
    /// every four seconds, and once in a minute.
    private static let coarseThreshold: Float = 6
    private static let phaseThreshold: Float = 5
    private static let energyThreshold: Float = 9
    /// Nats that the second pass of the tracker may add.
    private static let secondPassGain: Float = 2
    /// Nats of the code alone without which other settings of a candidate are not tried.
    private static let leastCode: Float = -8
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
    /// Exact settings that are decoded.
    private static let settings = 3
    /// Nats of a candidate that is remembered for its repeats; and of two looks that they may hold the same tones.
    private static let repeatThreshold: Float = 2
    private static let leastAgreement: Float = 3.5
    /// Closing speeds within which repeats of one token are combined, m/s.
    private static let repeatSpeed = 4.0
    /// Nats of the symbols beyond the shortest frame that speak for a longer token.
    private static let longerThreshold: Float = 3

    let profile: FSKProfile
    private var acquisition: FSKAcquisition
    private var tracker: FSKTracker
    private var decoder: FSKFrameDecoder
    private var ledger: FrameLedger
    /// Candidates that were not looked at yet.
    private var pending: [FSKCandidate] = []
    /// How long a candidate waits for better ones that may have brought it about.
    private let waitSteps: Int
    private var memory: LookMemory<FSKLook>
    private var budget = DecodeBudget()
    /// Where the next block of starts begins, in steps.
    private var nextStep: Int
    private(set) var statistics = ReceiverStatistics()
    private let observer: (any ReceiverObserver)?

    init(profile: FSKProfile, field: ToneField, observer: (any ReceiverObserver)?) {
        (self.profile, self.observer) = (profile, observer)
        acquisition = FSKAcquisition(profile: profile, field: field)
        tracker = FSKTracker(profile: profile)
        decoder = FSKFrameDecoder(profile: profile)
        ledger = FrameLedger(
            neighbourhood: Double(4 * profile.tones.symbolSamples), segmentSpacing: 0, segmentCount: 1)
        memory = LookMemory(
            capacity: 48, rateHz: profile.tones.basebandRateHz,
            frameSamples: Double(profile.searchedSymbolCount * profile.tones.symbolSamples),
            greatestChange: FSKReceiver.repeatSpeed / SearchGrid.soundSpeed)
        nextStep = 4
        waitSteps = acquisition.reachSteps
    }

    /// Steps of the field that a block needs.
    static func reachSteps(_ profile: FSKProfile) -> Int {
        (profile.searchedSymbolCount + 1) * TonePlan.stepsPerSymbol
    }

    /// The oldest step and the oldest baseband sample still needed.
    var oldestStep: Int { nextStep - waitSteps - 2 * ToneField.blockSteps }
    var oldestSample: Int {
        let searched = oldestStep * profile.tones.stepSamples
        let oldest = pending.lazy.map { Int($0.start) }.min() ?? searched
        return min(oldest, searched) - tracker.reach(.long).before
    }

    /// Zeros that flush everything out at the end of a recording.
    var flushSamples: Int {
        tracker.reach(.long).after + (5 * ToneField.blockSteps + acquisition.reachSteps + waitSteps)
            * profile.tones.stepSamples
    }

    mutating func search(_ field: ToneField, _ baseband: BasebandWindow, into reports: inout [DecodeReport]) {
        while field.end > nextStep + 2 * ToneField.blockSteps + acquisition.reachSteps,
            baseband.end > (nextStep + ToneField.blockSteps) * profile.tones.stepSamples
                + tracker.reach(.short).after
        {
            budget.refill(
                seconds: Double(ToneField.blockSteps * profile.tones.stepSamples)
                    / profile.tones.basebandRateHz)
            let known = pending.count
            acquisition.search(field, from: nextStep, least: FSKReceiver.coarseThreshold, into: &pending)
            statistics.candidates += pending.count - known
            look(field, baseband)
            nextStep += ToneField.blockSteps
            settle(into: &reports)
        }
    }

    private mutating func settle(into reports: inout [DecodeReport]) {
        let searched = Double((nextStep - waitSteps) * profile.tones.stepSamples)
        let settled = ledger.settle(before: searched - 2 * ledger.neighbourhood)
        statistics.reports += settled.count
        if !settled.isEmpty { reports += settled }
        let longest = profile.durationSeconds(.long) * profile.tones.basebandRateHz
        ledger.forget(before: searched - longest)
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
            tried.append(candidate)
            let gains = gains(candidate, field)
            let settings = tracker.refine(
                candidate, baseband, gains: gains,
                least: FSKReceiver.phaseThreshold - FSKReceiver.secondPassGain)
            let classes = likelyClasses(settings[0], candidate, baseband, gains: gains)
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

    private func mustWait(_ candidate: FSKCandidate, _ baseband: BasebandWindow) -> Bool {
        guard let awaited = candidate.awaited else { return false }
        return isShort(baseband, of: awaited, candidate)
    }

    /// Whether the end of a frame is still to come.
    private func isShort(
        _ baseband: BasebandWindow, of tokenClass: TokenClass, _ candidate: FSKCandidate
    ) -> Bool { baseband.end < Int(candidate.start) + tracker.reach(tokenClass).after }

    /// Whether a candidate may be made of the symbols of a longer frame.
    private func mayExplain(_ longer: FSKCandidate, _ candidate: FSKCandidate) -> Bool {
        guard let awaited = longer.awaited, candidate.contrast < FSKReceiver.ownContrast else { return false }
        let symbols = decoder.layout(awaited, lane: longer.lane).symbolCount
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
        guard score >= FSKReceiver.phaseThreshold else {
            let isHeard =
                score >= FSKReceiver.repeatThreshold && budget.isOpen
                && combine(candidate, settings[0], .short, baseband, gains: gains)
            settle(isHeard ? .heard : .faint, candidate, nats: score)
            return isHeard
        }
        guard settings[0].contrast >= FSKReceiver.leastContrast - FSKReceiver.contrastShare * score else {
            settle(.unlikely, candidate, nats: score)
            return false
        }
        // Whose sync tones are all there is heard, whatever was spent on others.
        guard budget.isOpen || settings[0].contrast >= FSKReceiver.ownContrast else {
            settle(.unaffordable, candidate, nats: score)
            return false
        }
        let before = statistics.decodings
        let attempt = decode(settings, classes, candidate, baseband, gains: gains)
        var outcome = CandidateTrace.Outcome.undecoded
        if let frame = attempt.frame {
            accept(frame, candidate, score: score, baseband, gains: gains)
            outcome = .heard
        } else if combine(
            candidate, settings[0], classes[0], baseband, gains: gains)
        {
            outcome = .heard
        }
        budget.spend(decodings: statistics.decodings - before)
        settle(outcome, candidate, nats: score, attempt.evidence)
        return true
    }

    /// A frame that did not decode alone: with earlier ones, or for later ones. Whether a token was heard.
    private mutating func combine(
        _ candidate: FSKCandidate, _ setting: FSKTracker.Setting, _ tokenClass: TokenClass,
        _ baseband: BasebandWindow, gains: [Float]
    ) -> Bool {
        let layout = decoder.layout(tokenClass, lane: candidate.lane)
        let grid = tracker.grid(setting, symbolCount: layout.symbolCount, baseband, gains: gains).grid
        var look = FSKLook(
            candidate: candidate, tokenClass: tokenClass, grid: grid,
            likelihoods: decoder.likelihood.shares(grid, layout))
        look.candidate.start = setting.start
        look.candidate.timeScale = setting.timeScale
        look.candidate.score = setting.score
        let partners = memory.partners(of: look) {
            let nats = look.agreement(with: $0)
            return nats > FSKReceiver.leastAgreement ? nats : nil
        }
        for count in partners.indices {
            let earlier = Array(partners[...count])
            let attempt = decoder.decodeRepeats(
                [grid] + earlier.map(\.grid), setting, tokenClass, lane: candidate.lane,
                statistics: &statistics)
            if let frame = attempt.frame {
                accept(frame, candidate, score: setting.score, baseband, gains: gains, earlier: earlier)
                return true
            }
        }
        memory.remember(look)
        return false
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

    private mutating func decode(
        _ settings: [FSKTracker.Setting], _ classes: [TokenClass], _ candidate: FSKCandidate,
        _ baseband: BasebandWindow, gains: [Float]
    ) -> FSKFrameDecoder.Attempt {
        var best = FSKFrameDecoder.Attempt()
        for tokenClass in classes {
            let layout = decoder.layout(tokenClass, lane: candidate.lane)
            for (rank, setting) in settings.prefix(FSKReceiver.settings).enumerated() where best.frame == nil
            {
                let grid = tracker.grid(
                    setting, symbolCount: layout.symbolCount, baseband, gains: gains
                ).grid
                let isEnough = setting.score > FSKReceiver.energyThreshold
                for path in rank > 0
                    ? [FSKFrameDecoder.PathModel.direct]
                    : isEnough ? [.direct, .room, .diffuse] : [FSKFrameDecoder.PathModel.direct]
                where best.frame == nil {
                    best.keep(
                        decoder.decodePhases(
                            grid, setting, tokenClass, lane: candidate.lane, path, statistics: &statistics
                        ) { [tracker] setting in
                            var tracker = tracker
                            return tracker.grid(
                                setting, symbolCount: layout.symbolCount, baseband, gains: gains
                            ).grid
                        })
                }
                guard best.frame == nil, isEnough,
                    rank == 0 || best.code > FSKReceiver.leastCode - 0.5 * max(0, best.evidence)
                else {
                    break
                }
                best.keep(
                    decoder.decodeEnergies(
                        grid, setting, tokenClass, lane: candidate.lane, statistics: &statistics))
            }
            if best.frame != nil { break }
        }
        return best
    }

    /// The lengths that a frame may have, the longest first: the shortest goes with all others, and longer ones go on
    /// sounding, as far as they have come in.
    private mutating func likelyClasses(
        _ setting: FSKTracker.Setting, _ candidate: FSKCandidate, _ baseband: BasebandWindow, gains: [Float]
    ) -> [TokenClass] {
        guard setting.score >= FSKReceiver.phaseThreshold else { return [] }
        let there = Int((Double(baseband.end) - setting.start) / Double(profile.tones.symbolSamples)) - 1
        var classes: [TokenClass] = [.short]
        var known = profile.searchedSymbolCount
        for tokenClass in [TokenClass.medium, .long] {
            let layout = decoder.layout(tokenClass, lane: candidate.lane)
            let grid = tracker.grid(setting, symbolCount: layout.symbolCount, baseband, gains: gains).grid
            let symbols = known..<max(known, min(layout.symbolCount, there))
            guard decoder.likelihood.score(grid, layout, symbols: symbols) > FSKReceiver.longerThreshold
            else { break }
            classes.insert(tokenClass, at: 0)
            known = layout.symbolCount
        }
        return classes
    }

    /// - Parameter earlier: looks at repeats that helped to hear it.
    private mutating func accept(
        _ frame: FSKFrameDecoder.Frame, _ candidate: FSKCandidate, score: Float, _ baseband: BasebandWindow,
        gains: [Float], earlier: [FSKLook] = []
    ) {
        let measurement = FSKMeasurement(profile: profile, lane: candidate.lane, gains: gains)
        let (report, start) = measurement.report(
            frame, baseband, repeats: 1 + earlier.count, tracker: &tracker, decoder: &decoder)
        func claim(start: Double, score: Float, _ report: DecodeReport?) {
            memory.forget(near: start, within: ledger.neighbourhood)
            ledger.add(
                FrameLedger.Entry(
                    start: start, lane: candidate.lane, evidence: frame.evidence, pilotScore: score,
                    report: report))
        }
        claim(start: start, score: score, report)
        for look in earlier { claim(start: look.candidate.start, score: look.candidate.score, nil) }
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
