/// The tokens that belong to no device on the medium on which they were heard. For a while they are not
/// reported again.
struct InvalidTokens: Sendable {
    private let memory: Duration
    private let limit: Int
    private var ends: [HeardToken: Instant] = [:]
    private var nextSweep = Instant.start

    init(_ settings: EngineSettings) {
        (memory, limit) = (settings.invalidTokenMemory, settings.invalidTokenLimit)
    }

    func contains(_ token: HeardToken) -> Bool { ends[token] != nil }

    mutating func insert(_ token: HeardToken, now: Instant) {
        if ends.count >= limit, ends[token] == nil { forgetOldest() }
        ends[token] = now + memory
    }

    /// Removes an eighth of the entries at a time, so that a flood costs little for each of its tokens.
    private mutating func forgetOldest() {
        let oldest = ends.ordered { $0.value < $1.value }.prefix(max(1, limit / 8))
        for (token, _) in oldest { ends[token] = nil }
    }

    var deadline: Instant? { ends.isEmpty ? nil : nextSweep }

    /// Removes expired entries, at most once a second.
    mutating func sweep(now: Instant) {
        guard now >= nextSweep, !ends.isEmpty else { return }
        nextSweep = now + .seconds(1)
        ends = ends.filter { $0.value > now }
    }
}
