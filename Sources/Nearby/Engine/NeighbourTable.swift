/// Tokens of others that were heard, and what became of them.
struct NeighbourTable: Sendable {
    private let settings: EngineSettings
    private var heard: HeardTable<Token>
    /// Until when a token that stands for nothing is not asked about.
    private var invalid: [Token: Instant] = [:]
    private var nextSweep = Instant.start

    /// Nobody has so many neighbours, but a flood of noise may.
    private static let limit = 4096

    init(_ settings: EngineSettings) {
        self.settings = settings
        heard = HeardTable(settings, limit: NeighbourTable.limit)
    }

    /// Whether it is one that the registry should be told of at once.
    mutating func note(_ token: Token, _ sighting: Sighting, now: Instant) -> Bool {
        invalid[token] == nil && heard.note(token, sighting, now: now)
    }

    /// What was heard since it was last reported.
    func observations(now: Instant) -> [TokenObservation] {
        heard.unreported(now: now).sorted { $0.key.bits < $1.key.bits }.map {
            TokenObservation($0.key, on: $0.heard.medium, age: $0.age, signal: $0.heard.signal)
        }
    }

    /// These have arrived.
    mutating func confirm(_ observations: [TokenObservation], reportedAt: Instant) {
        for one in observations { heard.confirm(one.token, heardAt: reportedAt - one.age) }
    }

    /// These stand for nobody.
    mutating func reject(_ wrong: Set<Token>, now: Instant) {
        for token in wrong where heard.remove(token) || invalid[token] != nil {
            if invalid.count >= settings.invalidTokenLimit,
                let oldest = invalid.min(by: { $0.value < $1.value })
            {
                invalid[oldest.key] = nil
            }
            invalid[token] = now + settings.invalidTokenMemory
        }
    }

    /// Devices on a medium of late.
    func count(on medium: Medium) -> Int { heard.count(on: medium) }

    /// The registry has forgotten all.
    mutating func forgetReports() { heard.forgetReports() }

    var deadline: Instant? {
        [heard.deadline, invalid.isEmpty ? nil : nextSweep].compactMap { $0 }.min()
    }

    /// Lets go what is too old, now and then.
    mutating func sweep(now: Instant) {
        heard.sweep(now: now)
        guard now >= nextSweep, !invalid.isEmpty else { return }
        nextSweep = now + .seconds(1)
        invalid = invalid.filter { $0.value > now }
    }
}
