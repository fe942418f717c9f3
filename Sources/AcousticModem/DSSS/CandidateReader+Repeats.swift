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

    func isOvershadowed(_ looks: [Look], segmentCount: Int) -> Bool {
        if readsResidual { return false }
        let span = Double(segmentSpanSamples * segmentCount)
        return looks.contains {
            deduplicator.overshadows($0.candidate, within: span, before: Double(horizon))
        }
    }
}
