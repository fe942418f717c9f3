/// The changes that a registry must know which asks for no reports without them.
extension EngineState {
    /// Schedules a report for what has changed, and notes whether anything waits for the next heartbeat.
    mutating func noteChanges(now: Instant) {
        if schedule.isQuiet, schedule.inFlight == nil, neighbours.hasEnds { schedule.noteSighting(now: now) }
        schedule.isUnsettled =
            schedule.isQuiet
            && (!askedTokens.isEmpty || neighbours.hasUnjudged || hasRefusal
                || !isKnown(playing(now: now)))
    }

    private var hasRefusal: Bool { operations.values.contains { $0.refusal != nil } }

    /// Returns what this device broadcasts, for a report.
    func playing(now: Instant) -> [PlayingToken] {
        assignments.inOrder.compactMap { medium, assignment in
            guard selection.conditions[medium]?.broadcast == nil, let broadcast = assignment.broadcast,
                let token = broadcast.token
            else { return nil }
            let period = paces[medium, default: Pace()].period(atLeast: broadcast.period, now: now)
            return PlayingToken(token, on: medium, period: min(period, .seconds(60)))
        }
    }

    /// Returns true if the registry knows these tokens, and their periods to within a quarter. A token that
    /// it gave for this time is known without a report.
    private func isKnown(_ playing: [PlayingToken]) -> Bool {
        playing.count == knownPlaying.count
            && zip(playing, knownPlaying).allSatisfy { new, known in
                new.medium == known.medium
                    && (new.token == known.token || rotation.isScheduled(on: new.medium))
                    && new.period <= known.period * 1.25
                    && new.period >= known.period * 0.75
            }
    }
}
