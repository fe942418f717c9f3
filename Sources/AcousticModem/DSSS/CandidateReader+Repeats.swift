import Signal

/// Joint decoding of candidates that did not decode alone with others that may hold the same token.
extension CandidateReader {
    /// Combines candidates that did not decode alone with earlier looks, once all frames that sound at the
    /// same time are known: starts before `end` have been searched. A look beside a strong frame of any
    /// profile is not combined, as what looks have in common there is that frame.
    mutating func combineUndecoded(before end: SamplePosition, _ noise: SteadyNoise, _ block: EnergyBlock) {
        guard !undecoded.isEmpty else { return }
        let due = Double(end - combiningSamples)
        for looks in undecoded where looks[0].candidate.start < due {
            let first = SamplePosition(looks[0].candidate.start)
            if !block.leavesOut(first..<first + segmentSpanSamples, of: noise) { combine(looks) }
        }
        undecoded.removeAll { $0[0].candidate.start < due }
    }

    /// Decodes the looks at a frame that did not decode alone together with earlier ones, or keeps the first
    /// look for later ones.
    private mutating func combine(_ looks: [Look]) {
        guard budget.isOpen, !isOvershadowed(looks, segmentCount: looks.count),
            let partners = lookMemory?.partners(of: looks[0], rank: { $0.candidate.score })
        else {
            return
        }
        let glanceNats = gate.look.pilotNats
        for count in partners.indices {
            let all = looks + partners[...count]
            // Each partner was the best of many, too: only its nats beyond theirs count as evidence.
            let nats = all.reduce(glanceNats) { $0 + $1.candidate.score - glanceNats }
            let trial = Trial(
                candidate: all[0].candidate, looks: all, pilotNats: nats, frameCount: all.count)
            if combinedGate.verdict(trial.evidence(.found)) == .look, tryHard(trial) { return }
        }
        lookMemory?.remember(looks[0])
    }

    /// Returns true if one of the frames that a candidate adds up was heard by itself, or sounded under a far
    /// stronger one, beneath which it adds nothing: what a strong sender's chips add up to by chance, its
    /// repeats add up to again.
    func isExplained(_ candidate: Candidate, _ plan: BurstPlan) -> Bool {
        let score = Thresholds.reports.buryingRatio * candidate.score / Float(plan.segmentCount)
        return (0..<plan.segmentCount).contains {
            let start = tracker.segmentStart(candidate, plan, $0)
            return deduplicator.isClaimed(near: start) || isBeneathFrame(start, score, span: 1)
        }
    }

    /// Returns true if a frame already heard, in the air at the same time as one of the looks, is so much
    /// stronger that the look is likely made of its chips.
    func isOvershadowed(_ looks: [Look], segmentCount: Int) -> Bool {
        if readsResidual { return false }
        return looks.contains {
            let score = Thresholds.reports.overshadowingRatio * $0.candidate.score
            return isBeneathFrame($0.candidate.start, score, span: segmentCount)
        }
    }

    private func isBeneathFrame(_ start: Double, _ score: Float, span segmentCount: Int) -> Bool {
        deduplicator.hasStronger(
            than: score, near: start, within: Double(segmentSpanSamples * segmentCount),
            before: Double(horizon))
    }
}
