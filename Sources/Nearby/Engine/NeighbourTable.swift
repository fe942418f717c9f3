/// Tokens of others that were heard, and how the registry judged them.
struct NeighbourTable: Sendable {
    private let settings: EngineSettings
    private var heard: HeardTable<Token>
    private var invalid: InvalidTokens

    init(_ settings: EngineSettings) {
        self.settings = settings
        heard = HeardTable(settings, limit: settings.heardTokenLimit)
        invalid = InvalidTokens(settings)
    }

    /// Whether the registry should be told of it at once.
    mutating func note(_ token: Token, _ sighting: Sighting, now: Instant) -> Bool {
        !invalid.contains(HeardToken(token, on: sighting.medium))
            && heard.note(token, sighting, now: now)
    }

    /// The tokens that were heard since they were last reported, the likeliest first, as many as one report may name.
    ///
    /// Each medium, and of it those that are known and those that are new, has an even share where there are too many: no
    /// flood on one medium, and no crowd of devices that are there, keeps a new one out.
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

    /// Whether there is something that no report has named yet.
    func hasUnreported(now: Instant) -> Bool {
        Medium.allCases.contains { medium in
            heard.unreported(on: medium, now: now).contains { $0.heard.reported == nil }
        }
    }

    /// Takes what the registry says of tokens that a report has named. One without a verdict, where others have one, was left out, and is
    /// named again. A registry without any verdicts judges none.
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

    /// Devices on a medium of late. A token that was heard once and that nobody vouches for may be a stray one.
    func count(on medium: Medium) -> Int { heard.steadyCount(on: medium) }

    /// The registry has forgotten all.
    mutating func forgetReports() { heard.forgetReports() }

    var deadline: Instant? { [heard.deadline, invalid.deadline].compactMap { $0 }.min() }

    /// Lets go what is too old, now and then.
    mutating func sweep(now: Instant) {
        heard.sweep(now: now)
        invalid.sweep(now: now)
    }
}
