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
    /// Of a frame's energy, what its phases must bring together to be believed.
    private static let leastCoherence: Float = 0.5
    /// Exact settings that are decoded.
    private static let settings = 3
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
        nextStep = 4
        waitSteps = acquisition.reachSteps
    }

    /// Steps of the field that a block needs.
    static func reachSteps(_ profile: FSKProfile) -> Int {
        (profile.searchedSymbolCount + 1) * TonePlan.stepsPerSymbol
    }

    /// The oldest step and the oldest baseband sample still needed.
    var oldestStep: Int { nextStep - waitSteps - 2 * ToneField.blockSteps }
    var oldestSample: Int { oldestStep * profile.tones.stepSamples - tracker.reach(.long).before }

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
    /// that are better.
    private mutating func look(_ field: ToneField, _ baseband: BasebandWindow) {
        let due = Double((nextStep - waitSteps) * profile.tones.stepSamples)
        pending.sort { $0.rank > $1.rank }
        guard let last = pending.lastIndex(where: { $0.start < due }) else { return }
        var attempts = 0
        var tried: [FSKCandidate] = []
        for candidate in pending[...last] {
            if isExplained(candidate) {
                settle(.known, candidate, nats: candidate.score)
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
            attempts += decode(candidate, settings, baseband, gains: gains) ? 1 : 0
        }
        pending.removeSubrange(...last)
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
        _ candidate: FSKCandidate, _ settings: [FSKTracker.Setting], _ baseband: BasebandWindow,
        gains: [Float]
    ) -> Bool {
        let score = settings[0].score
        guard score >= FSKReceiver.phaseThreshold else {
            settle(.faint, candidate, nats: score)
            return false
        }
        // Whose sync tones are all there is heard, whatever was spent on others.
        guard budget.isOpen || candidate.contrast >= FSKReceiver.ownContrast else {
            settle(.unaffordable, candidate, nats: score)
            return false
        }
        let before = statistics.decodings
        let attempt = decode(settings, candidate, baseband, gains: gains)
        budget.spend(decodings: statistics.decodings - before)
        var outcome = CandidateTrace.Outcome.undecoded
        if let frame = attempt.frame {
            accept(frame, candidate, score: score, baseband, gains: gains)
            outcome = .heard
        }
        settle(outcome, candidate, nats: score, attempt.evidence)
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

    private mutating func decode(
        _ settings: [FSKTracker.Setting], _ candidate: FSKCandidate, _ baseband: BasebandWindow,
        gains: [Float]
    ) -> FSKFrameDecoder.Attempt {
        var best = FSKFrameDecoder.Attempt()
        for tokenClass in likelyClasses(settings[0], candidate, baseband, gains: gains) {
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
                guard best.frame == nil, isEnough, rank == 0 || best.code > FSKReceiver.leastCode else {
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

    /// The shortest frame goes with all others; longer ones go on sounding.
    private mutating func likelyClasses(
        _ setting: FSKTracker.Setting, _ candidate: FSKCandidate, _ baseband: BasebandWindow, gains: [Float]
    ) -> [TokenClass] {
        var classes: [TokenClass] = []
        var known = profile.searchedSymbolCount
        for tokenClass in [TokenClass.medium, .long] {
            let layout = decoder.layout(tokenClass, lane: candidate.lane)
            let grid = tracker.grid(setting, symbolCount: layout.symbolCount, baseband, gains: gains).grid
            let more = decoder.likelihood.score(grid, layout, symbols: known..<layout.symbolCount)
            guard more > FSKReceiver.longerThreshold else { break }
            classes.insert(tokenClass, at: 0)
            known = layout.symbolCount
        }
        return classes + [.short]
    }

    private mutating func accept(
        _ frame: FSKFrameDecoder.Frame, _ candidate: FSKCandidate, score: Float, _ baseband: BasebandWindow,
        gains: [Float]
    ) {
        let setting = sharpened(frame, candidate, baseband, gains: gains)
        let (grid, loudness) = tracker.grid(
            setting, symbolCount: frame.tones.count, baseband, gains: gains)
        let energies = frame.tones.enumerated().map { grid.values[$0 * grid.allTones + $1].power }
        let mean = energies.reduce(0, +) / Float(energies.count) * loudness
        let symbolEnergy = max(mean - 1, 1e-3)
        let plan = profile.tones
        let ramps = 2 * 0.375 * FSKProfile.rampSeconds / plan.symbolSeconds
        let allEnergy = symbolEnergy * Float(Double(frame.tones.count) + ramps)
        let bandHz = plan.bandHz.upperBound - plan.bandHz.lowerBound
        let report = DecodeReport(
            token: frame.token, profile: WaveformProfile(profile), startSample: startSample(setting),
            snrDecibels: 10 * log10(symbolEnergy * Float(plan.spacingHz / bandHz)),
            ebN0Decibels: 10 * log10(allEnergy / Float(8 * frame.token.count)),
            speedMetersPerSecond: Float(setting.timeScale * SearchGrid.soundSpeed), repeats: 1,
            lane: candidate.lane)
        ledger.add(
            FrameLedger.Entry(
                start: setting.start, lane: candidate.lane, evidence: frame.evidence, pilotScore: score,
                report: report))
    }

    /// A frame's start and speed as its phases show them, where they hold together; else as its energies do.
    private mutating func sharpened(
        _ frame: FSKFrameDecoder.Frame, _ candidate: FSKCandidate, _ baseband: BasebandWindow, gains: [Float]
    ) -> FSKTracker.Setting {
        let layout = decoder.layout(frame.tokenClass, lane: candidate.lane)
        let grid = tracker.grid(
            frame.setting, symbolCount: layout.symbolCount, baseband, gains: gains
        ).grid
        let terms = frame.tones.enumerated().map { symbol, tone in
            PhaseFit.Term(value: grid.values[symbol * grid.allTones + tone], symbol: symbol, tone: tone)
        }
        let snr = decoder.strength(grid, frame.tokenClass, lane: candidate.lane)
        let search = PhaseSearch(
            layout, profile.tones, snr: snr, steadyShare: FSKFrameDecoder.PathModel.direct.steadyShare)
        let fits = search.peaks(grid).map { $0.refined(terms, profile.tones) }
        guard let best = fits.max(by: { $0.coherence(terms) < $1.coherence(terms) }),
            best.coherence(terms) > FSKReceiver.leastCoherence
        else { return frame.setting }
        return best.corrected(frame.setting, profile.tones)
    }

    /// Of the ramp's beginning, at 48 kHz.
    private func startSample(_ setting: FSKTracker.Setting) -> Double {
        (setting.start - Double(profile.tones.leadSamples)) * Double(profile.tones.decimation)
            + BandDecimator.timeOffsetSamples
            - FSKProfile.rampSeconds * Receiver.sampleRateHz / (1 + setting.timeScale)
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
