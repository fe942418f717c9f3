/// Tokens of others that were heard, and what became of them.
struct NeighbourTable: Sendable {
    private struct Heard: Sendable {
        var medium: Medium
        var lastSeen: Instant
        var signal: Sighting.Signal
        /// ``lastSeen`` as the registry knows it.
        var reported: Instant?
    }

    private let settings: EngineSettings
    private var heard: [Token: Heard] = [:]
    /// Until when a token that stands for nothing is not asked about.
    private var invalid: [Token: Instant] = [:]
    private var nextSweep = Instant.start

    /// So many tokens at most are known at a time: nobody has more neighbours, but a flood of noise may.
    private static let limit = 4096

    init(_ settings: EngineSettings) { self.settings = settings }

    /// Whether it is one that the registry should be told of at once.
    mutating func note(_ token: Token, _ sighting: Sighting, now: Instant) -> Bool {
        guard invalid[token] == nil else { return false }
        let seen = now - sighting.age
        if var known = heard[token] {
            // A token of one medium on the other is an echo of somebody's making; the registry judges by the first.
            guard known.medium == sighting.medium else { return false }
            // Whoever was not heard for a while may have been lost.
            let isBack = known.lastSeen + settings.absence < seen
            known.lastSeen = max(known.lastSeen, seen)
            known.signal = sighting.signal
            heard[token] = known
            return isBack
        }
        guard heard.count < NeighbourTable.limit else { return false }
        heard[token] = Heard(medium: sighting.medium, lastSeen: seen, signal: sighting.signal)
        return true
    }

    /// What was heard since it was last reported.
    func observations(now: Instant) -> [TokenObservation] {
        heard.sorted { $0.key.bits < $1.key.bits }.compactMap { token, one in
            let age = one.lastSeen.duration(to: now)
            guard one.reported.map({ $0 < one.lastSeen }) ?? true, age <= settings.oldestObservation else {
                return nil
            }
            return TokenObservation(token, on: one.medium, age: age, signal: one.signal)
        }
    }

    /// These have arrived.
    mutating func confirm(_ observations: [TokenObservation], reportedAt: Instant) {
        for observation in observations {
            heard[observation.token]?.reported = reportedAt - observation.age
        }
    }

    /// These stand for nobody.
    mutating func reject(_ wrong: Set<Token>, now: Instant) {
        for token in wrong where heard.removeValue(forKey: token) != nil || invalid[token] != nil {
            if invalid.count >= settings.invalidTokenLimit,
                let oldest = invalid.min(by: { $0.value < $1.value })
            {
                invalid[oldest.key] = nil
            }
            invalid[token] = now + settings.invalidTokenMemory
        }
    }

    /// Devices on a medium of late.
    func count(on medium: Medium) -> Int { heard.values.count { $0.medium == medium } }

    /// The registry has forgotten all.
    mutating func forgetReports() {
        for token in heard.keys { heard[token]?.reported = nil }
    }

    var deadline: Instant? { heard.isEmpty && invalid.isEmpty ? nil : nextSweep }

    /// Lets go what is too old, now and then.
    mutating func sweep(now: Instant) {
        guard now >= nextSweep else { return }
        nextSweep = now + .seconds(1)
        heard = heard.filter { $0.value.lastSeen + settings.neighbourhood > now }
        invalid = invalid.filter { $0.value > now }
    }
}
