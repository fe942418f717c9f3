/// The tokens of others that were heard, with the registry's verdicts.
struct NeighbourTable: Sendable {
    private let settings: EngineSettings
    private var heard: HeardTable<Token>
    private var invalid: InvalidTokens
    /// True if a token that the registry knows is no longer heard, as of the last sweep.
    private(set) var hasEnds = false
    /// True if a token counts as heard that the registry knows but did not judge, as of the last sweep.
    private(set) var hasUnjudged = false

    init(_ settings: EngineSettings) {
        self.settings = settings
        heard = HeardTable(settings, limit: settings.heardTokenLimit)
        invalid = InvalidTokens(settings)
    }

    /// Records a hearing. Returns true if it should be reported at once.
    ///
    /// - Parameter isQuiet: see ``HeardTable/note(_:_:isQuiet:now:)``.
    mutating func note(_ token: Token, _ sighting: Sighting, isQuiet: Bool, now: Instant) -> Bool {
        !invalid.contains(HeardToken(token, on: sighting.medium))
            && heard.note(token, sighting, isQuiet: isQuiet, now: now)
    }

    /// Returns the tokens that count as heard or are in doubt, the likeliest first, at most as many as one
    /// report may name, and whether these are all.
    ///
    /// If there are too many, each medium, and on it the confirmed and the other tokens, gets an even share:
    /// neither a flood on one medium nor a crowd of known devices keeps a new device out.
    func observations(now: Instant) -> (named: [TokenObservation], isComplete: Bool) {
        var queues: [ArraySlice<TokenObservation>] = []
        for medium in Medium.allCases {
            let all = heard.present(on: medium, now: now)
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
        let isComplete =
            queues.allSatisfy { $0.isEmpty } && observations.count <= settings.observationsPerReport
        return (Array(observations.prefix(settings.observationsPerReport)), isComplete)
    }

    /// Returns true if a token counts as heard that the registry does not know.
    func hasUnreported(now: Instant) -> Bool { heard.hasUnreported(now: now) }

    /// Takes the registry's verdicts on the tokens of a report. If only some tokens have a verdict, the
    /// registry left out the others, and they are reported again. If no token has one, the registry judges
    /// none.
    mutating func judge(_ report: Report, _ answer: Answer, reportedAt: Instant, now: Instant) {
        let verdicts = answer.verdicts
        if report.observationsAreComplete {
            let named = Set(report.observations.map { $0.heard })
            heard.keepReports { token, medium in named.contains(HeardToken(token, on: medium)) }
        }
        for one in report.observations {
            let time = reportedAt - one.age
            switch verdicts.isEmpty ? .notJudged : verdicts[one.heard] {
            case .valid:
                heard.confirm(one.token, on: one.medium, heardAt: time, isValid: true)
                heard.setPatience(answer.patience[one.heard], of: one.token, on: one.medium, now: now)
            case .invalid:
                _ = heard.remove(one.token, on: one.medium)
                invalid.insert(one.heard, now: now)
            case .notJudged where one.age >= settings.patience:
                heard.end(one.token, on: one.medium, heardAt: time)
            case .notJudged: heard.confirm(one.token, on: one.medium, heardAt: time, isValid: false)
            case nil: break
            }
        }
        review(now: now)
    }

    private mutating func review(now: Instant) {
        (hasEnds, hasUnjudged) = (heard.hasEnds(now: now), heard.hasUnjudged(now: now))
    }

    /// Returns the number of devices heard recently on a medium. A token that was heard only once, and that
    /// the registry has not confirmed, may be a false detection and does not count.
    func count(on medium: Medium) -> Int { heard.steadyCount(on: medium) }

    /// Marks all tokens as unreported, because the registry has forgotten everything.
    mutating func forgetReports() { heard.forgetReports() }

    var deadline: Instant? { [heard.deadline, invalid.deadline].compactMap { $0 }.min() }

    /// Removes expired entries, at most once a second.
    mutating func sweep(now: Instant) {
        if heard.sweep(now: now) { review(now: now) }
        invalid.sweep(now: now)
    }
}
