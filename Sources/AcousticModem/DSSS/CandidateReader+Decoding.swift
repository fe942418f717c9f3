import Signal

/// The efforts that are spent on one trial.
extension CandidateReader {
    /// Decodes a trial; if it does not decode, its repeats may be looked for. Returns true if a frame was
    /// accepted.
    mutating func tryHard(_ trial: Trial) -> Bool {
        let result = decode(trial)
        if !result.isHeard { beginChain(trial, evidence: result.evidence) }
        return result.isHeard
    }

    /// Decodes a trial with a glance, and with more effort if it may help. Returns true if a frame was
    /// accepted, and the most evidence of a decoding.
    mutating func decode(_ trial: Trial) -> (isHeard: Bool, evidence: Float) {
        var outcome = CandidateTrace.Outcome.unlikely
        var detections = Detections(trial)
        detections.doubts.isDoubting = chance.isReached
        var result = attempt(&detections, .glance)
        func verdict() -> Verdict {
            result.frame == nil ? gate.verdict(trial.evidence(.decoded, nats: result.evidence)) : .accept
        }
        if verdict().isWorthEffort {
            outcome = .undecoded
            result = attempt(&detections, .quick)
            if verdict() == .deepLook, !isOvershadowed(trial.looks, segmentCount: trial.segmentCount) {
                if budget.isOpen {
                    result = attempt(&detections, .deep, only: result.tokenClass)
                } else {
                    outcome = .unaffordable
                }
            }
        }
        let starts = trial.looks.map { $0.candidate.start }
        let frame = chance.settle(result.frame, detections.doubts, starts: starts, &statistics)
        if let frame, accept(frame, trial) { outcome = .heard }
        settle(outcome, trial, result.evidence)
        return (outcome == .heard, result.evidence)
    }

    /// Tries a strong frame that did not decode on the other lane that it may be on. Returns true if it was
    /// accepted.
    mutating func tryOnTwinLane(_ trial: Trial) -> Bool {
        guard trial.pilotNats > Thresholds.dsss.prominentNats, trial.looks.count == 1,
            let lane = LaneTwin.lane(trial.looks[0], profile.pilots)
        else { return false }
        var twin = trial
        twin.looks[0].candidate.lane = lane
        twin.candidate.lane = lane
        return tryHard(twin)
    }

    private mutating func attempt(
        _ detections: inout Detections, _ effort: DSSSFrameDecoder.Effort, only: TokenClass? = nil
    ) -> DSSSFrameDecoder.Attempt {
        let before = statistics.decodings
        defer {
            // A first look at one frame takes nothing from the budget: other sound must not keep a good frame
            // from it.
            if effort == .deep || detections.trial.segmentCount > 1 {
                budget.spend(Int(statistics.decodings - before))
            }
        }
        detections.isStrained = budget.isStrained || readsResidual
        return decoder.decode(&detections, effort, only: only, statistics: &statistics)
    }
}
