/// The tokens of others that were heard, with the registry's verdicts.
struct NeighbourTable: Sendable {
    private let settings: EngineSettings
    private var heard: HeardTable<Token>
    private var invalid: InvalidTokens

    init(_ settings: EngineSettings) {
        self.settings = settings
        heard = HeardTable(settings, limit: settings.heardTokenLimit)
        invalid = InvalidTokens(settings)
    }

    /// Records a hearing. Returns true if it should be reported at once.
    mutating func note(_ token: Token, _ sighting: Sighting, now: Instant) -> Bool {
        !invalid.contains(HeardToken(token, on: sighting.medium))
            && heard.note(token, sighting, now: now)
    }

    /// Returns the tokens that were heard since they were last reported, the likeliest first, at most as many
    /// as one report may name.
    ///
    /// If there are too many, each medium, and on it the confirmed and the other tokens, gets an even share:
    /// neither a flood on one medium nor a crowd of known devices keeps a new device out.
    func observations(now: Instant) -> [TokenObservation] {
        var queues: [ArraySlice<TokenObservation>] = []
        for medium in Medium.allCases {
            let all = heard.unreported(on: medium, now: now)
            for isValid in [true, false] {
                queues.append(
                    all.filter { $0.heard.isValid == isValid }.map {
                        TokenObservation($0.key, on: medium, age: $0.age, signal: $0.heard.signal)
                    }[...])
            }
        }
        var observations: [TokenObservation] = []
        while observations.count < settings.observationsPerReport, queues.contains(where: { !$0.isEmpty }) {
            for n in queues.indices { queues[n].popFirst().map { observations.append($0) } }
        }
        return Array(observations.prefix(settings.observationsPerReport))
    }

    /// Returns true if there is a token that no report has named yet.
    func hasUnreported(now: Instant) -> Bool {
        Medium.allCases.contains { medium in
            heard.unreported(on: medium, now: now).contains { $0.heard.reported == nil }
        }
    }

    /// Takes the registry's verdicts on the tokens of a report. If only some tokens have a verdict, the
    /// registry left out the others, and they are reported again. If no token has one, the registry judges
    /// none.
    mutating func judge(
        _ observations: [TokenObservation], _ verdicts: [HeardToken: TokenVerdict], reportedAt: Instant,
        now: Instant
    ) {
        for one in observations {
            switch verdicts.isEmpty ? .notJudged : verdicts[one.heard] {
            case .valid:
                heard.confirm(one.token, on: one.medium, heardAt: reportedAt - one.age, isValid: true)
            case .invalid:
                _ = heard.remove(one.token, on: one.medium)
                invalid.insert(one.heard, now: now)
            case .notJudged:
                heard.confirm(one.token, on: one.medium, heardAt: reportedAt - one.age, isValid: false)
            case nil: break
            }
        }
    }

    /// Returns the number of devices heard recently on a medium. A token that was heard only once, and that
    /// the registry has not confirmed, may be a false detection and does not count.
    func count(on medium: Medium) -> Int { heard.steadyCount(on: medium) }

    /// Marks all tokens as unreported, because the registry has forgotten everything.
    mutating func forgetReports() { heard.forgetReports() }

    var deadline: Instant? { [heard.deadline, invalid.deadline].compactMap { $0 }.min() }

    /// Removes expired entries, at most once a second.
    mutating func sweep(now: Instant) {
        heard.sweep(now: now)
        invalid.sweep(now: now)
    }
}
