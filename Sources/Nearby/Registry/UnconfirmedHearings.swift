/// Tokens that were named by devices whose word is no evidence just now, because too many of their tokens stood for nobody.
///
/// A guess that happens to be right must not bring anybody near. But who really hears a device soon hears another token of it: the one
/// on the other medium, or the next one after it has changed. To guess two tokens of one device is hopeless.
///
///     token 1 of A named by B ─→ not judged ┐
///     token 2 of A named by B ──────────────┴─→ B hears A
struct UnconfirmedHearings: Sendable {
    private struct Named: Sendable {
        var token: Token
        var end: Instant
    }

    private struct Way: Sendable, Hashable {
        var listener: RegistryState.DeviceID
        var speaker: RegistryState.DeviceID
    }

    /// A device changes its tokens at least as often as this, with room for a report that was late.
    private static let memory = Duration.seconds(900)

    private var named: [Way: Named] = [:]
    private var queue = ExpiryQueue<Way>()

    var deadline: Instant? { queue.deadline }

    /// Notes that a token was named. Returns whether another one of the same device was named before.
    mutating func confirms(_ hearing: Hearing, _ token: Token, now: Instant) -> Bool {
        let way = Way(listener: hearing.listener, speaker: hearing.speaker)
        guard let before = named[way], before.end > now else {
            if named[way] == nil { queue.add(way, at: now + UnconfirmedHearings.memory) }
            named[way] = Named(token: token, end: now + UnconfirmedHearings.memory)
            return false
        }
        return before.token != token
    }

    mutating func expire(now: Instant) {
        while let way = queue.next(at: now) {
            guard let end = named[way]?.end else { continue }
            if end > now { queue.add(way, at: end) } else { named[way] = nil }
        }
    }
}
