import Signal

/// Work on one candidate at a time: the decision whether it deserves an exact look, a decoding, a combination
/// with earlier ones.
extension FSKReceiver {
    /// Looks at a candidate, unless something else explains it or the budget is empty. A candidate that may
    /// be a longer frame waits until all of that frame is in, and candidates that it may explain wait with
    /// it. Returns how many exact looks were taken.
    mutating func look(
        _ candidate: FSKCandidate, _ block: inout FSKBlock, _ field: ToneField, _ baseband: BasebandRing
    ) -> Int {
        if isExplained(candidate) {
            settle(.known, candidate, nats: candidate.score)
            return 0
        }
        if mustWait(candidate, baseband) || block.waiting.contains(where: { mayExplain($0, candidate) }) {
            block.waiting.append(candidate)
            return 0
        }
        let likes = block.tried.count {
            $0.lane == candidate.lane
                && abs($0.start - candidate.start) < Double(profile.tones.symbolSamples) / 2
        }
        guard block.attempts < FSKReceiver.attempts, likes < FSKReceiver.mostLikes else {
            settle(.crowded, candidate, nats: candidate.score)
            return 0
        }
        let claim = FSKBudget.Claim(
            nats: candidate.rank, least: Thresholds.fsk.coarseNats, isDistinct: false)
        guard budget.takeLook(claim) else {
            settle(.unaffordable, candidate, nats: candidate.score)
            return 0
        }
        block.tried.append(candidate)
        let trial = trial(candidate, sound(candidate, field, baseband))
        let classes = trial.score < Thresholds.fsk.lookNats ? [] : reader.likelyClasses(trial)
        if candidate.awaited == nil, let longest = classes.first, isShort(baseband, of: longest, candidate) {
            var longer = candidate
            longer.awaited = longest
            block.waiting.append(longer)
            return 1
        }
        block.attempts += decode(trial, classes) ? 1 : 0
        return 1
    }

    /// Looks at repeats of which none was heard alone, after the turn of their last one. Returns how many
    /// exact looks were taken.
    mutating func look(
        _ repeats: FSKRepeatSearch.Candidate, _ block: inout FSKBlock, _ field: ToneField,
        _ baseband: BasebandRing
    ) -> Int {
        let newest = repeats.frames[0]
        guard newest.start < block.dueStart, !isShort(baseband, of: repeats.tokenClass, newest) else {
            block.waitingRepeats.append(repeats)
            return 0
        }
        guard block.repeatAttempts < FSKReceiver.repeatAttempts, budget.mayReadRepeats,
            !isExplained(newest), !repeats.frames.contains(where: { deduplicator.isClaimed(near: $0.start) })
        else { return 0 }
        block.repeatAttempts += 1
        budget.spend(repeats: repeats.frames.count)
        let sounds = repeats.frames.map { sound($0, field, baseband) }
        beginTrial()
        let attempt = reader.read(repeats, sounds, statistics: &statistics)
        if let frame = heard(attempt.frame, at: repeats.frames.map { $0.start }) {
            let trial = FSKTrial(
                candidate: newest, sound: sounds[0], score: repeats.score / Float(repeats.frames.count))
            accept(frame, trial, earlier: Array(repeats.frames.dropFirst()))
        }
        return repeats.frames.count
    }

    /// Returns true if all whole frames that may explain a piece have been looked at. By then, any other
    /// piece of its frame has come in.
    func isReady(_ piece: FSKCandidate, _ block: FSKBlock) -> Bool {
        piece.start + Double(FSKSplice.reachSamples(profile.tones)) < block.dueStart
            && !block.waiting.contains { mayOverlap($0, piece) }
    }

    /// Looks for the other piece of a frame. Returns how many exact looks were taken.
    mutating func lookAtPiece(
        _ piece: FSKCandidate, _ field: ToneField, _ baseband: BasebandRing
    ) -> Int {
        let span = Double(profile.searchedSymbolCount * profile.tones.symbolSamples)
        guard !deduplicator.isClaimed(near: piece.start),
            !deduplicator.hasStronger(than: piece.score, near: piece.start, within: span), budget.takePiece()
        else { return 0 }
        let trial = FSKTrial(
            candidate: piece, sound: sound(piece, field, baseband), score: piece.score)
        beginTrial()
        let joined = reader.readPieces(trial, statistics: &statistics)
        if let frame = heard(joined?.frame, at: [piece.start]) {
            accept(frame, trial, lastPiece: joined?.splice.last)
        }
        return FSKReceiver.searchLooks
    }

    /// Returns a candidate with its exact settings.
    private mutating func trial(_ candidate: FSKCandidate, _ sound: FSKSound) -> FSKTrial {
        let settings = reader.tracker.refine(
            candidate, sound, least: Thresholds.fsk.lookNats - Thresholds.fsk.secondPassNats)
        return FSKTrial(
            candidate: candidate, sound: sound, settings: settings, score: settings[0].score)
    }

    private func mustWait(_ candidate: FSKCandidate, _ baseband: BasebandRing) -> Bool {
        guard let awaited = candidate.awaited else { return false }
        return isShort(baseband, of: awaited, candidate)
    }

    /// Returns true if the end of a frame is still to come.
    private func isShort(
        _ baseband: BasebandRing, of tokenClass: TokenClass, _ candidate: FSKCandidate
    ) -> Bool { baseband.end < SamplePosition(candidate.start) + reader.tracker.reach(tokenClass).after }

    /// Returns true if a candidate may be made of the symbols of a longer frame.
    private func mayExplain(_ longer: FSKCandidate, _ candidate: FSKCandidate) -> Bool {
        candidate.contrast < Thresholds.fsk.ownContrast && mayOverlap(longer, candidate)
    }

    /// Returns true if a candidate begins within the length of a possible longer frame, or as little before
    /// it.
    private func mayOverlap(_ longer: FSKCandidate, _ candidate: FSKCandidate) -> Bool {
        guard let awaited = longer.awaited else { return false }
        let symbols = reader.decoder.layout(awaited, lane: longer.lane).symbolCount
        return abs(candidate.start - longer.start) < Double(symbols * profile.tones.symbolSamples)
    }

    /// Returns true if a frame that was heard explains a candidate: it is the same one, or out of step with
    /// it.
    private func isExplained(_ candidate: FSKCandidate) -> Bool {
        deduplicator.covers(start: candidate.start, score: candidate.score, lane: candidate.lane)
            || candidate.contrast < Thresholds.fsk.ownContrast
                && deduplicator.hasStronger(
                    than: candidate.score, near: candidate.start,
                    within: Double(profile.searchedSymbolCount * profile.tones.symbolSamples))
    }

    /// Decodes a candidate. Returns true if it was worth an attempt.
    private mutating func decode(_ trial: FSKTrial, _ classes: [TokenClass]) -> Bool {
        let before = statistics.decodings
        var isHeard = false
        let claim = FSKBudget.Claim(
            nats: trial.score, least: Thresholds.fsk.lookNats,
            isDistinct: trial.score >= Thresholds.fsk.lookNats
                && trial.settings[0].contrast >= Thresholds.fsk.ownContrast)
        // Frames that are heard cost no budget: their time on air bounds them.
        defer { if !isHeard { budget.spend(decodings: Int(statistics.decodings - before), on: claim) } }
        switch gate.verdict(trial.evidence) {
        case .remember:
            isHeard = budget.mayDecode(claim) && combine(trial, .short)
            settle(isHeard ? .heard : .faint, trial.candidate, nats: trial.score)
            return isHeard
        case .reject(let outcome):
            settle(outcome, trial.candidate, nats: trial.score)
            return false
        default: break
        }
        guard budget.mayDecode(claim) else {
            settle(.unaffordable, trial.candidate, nats: trial.score)
            return false
        }
        beginTrial()
        let attempt = reader.read(trial, classes, statistics: &statistics)
        let frame = heard(attempt.frame, at: [trial.candidate.start])
        if let frame { accept(frame, trial) }
        isHeard = frame != nil || combine(trial, classes[0])
        settle(isHeard ? .heard : .undecoded, trial.candidate, nats: trial.score, attempt)
        return true
    }

    /// Decodes a frame that did not decode alone together with earlier ones. Returns true if a token was
    /// heard.
    private mutating func combine(_ trial: FSKTrial, _ tokenClass: TokenClass) -> Bool {
        beginTrial()
        let repeats = reader.combine(trial, tokenClass, statistics: &statistics)
        let earlier = repeats?.earlier.map { $0.candidate } ?? []
        // Which frames a doubted token came from is not known here, so that none can agree with it.
        reader.decoder.doubts.frames = []
        let starts = [trial.candidate.start] + earlier.map { $0.start }
        guard let frame = heard(repeats?.frame, at: starts) else { return false }
        accept(frame, trial, earlier: earlier)
        return true
    }

    private mutating func beginTrial() {
        reader.decoder.doubts = Doubts(isDoubting: chance.isReached)
    }

    /// Returns the frame of the trial under way that counts as heard.
    private mutating func heard(
        _ frame: FSKFrameDecoder.Frame?, at starts: [Double]
    ) -> FSKFrameDecoder.Frame? {
        chance.settle(frame, reader.decoder.doubts, starts: starts, &statistics)
    }
}
