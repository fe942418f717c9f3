/// Tokens named by devices whose word is no evidence at present, because too many of the tokens that they
/// named belonged to no device.
///
/// A lucky guess must not bring two devices near. But a device that truly hears another soon hears another
/// token of it: the one on the other medium, or the next one after a rotation. Guessing two tokens of one
/// device is infeasible.
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

    /// The time for which a token is remembered. A device changes its tokens at least this often, with room
    /// for a late report.
    private static let memory = Duration.seconds(900)

    private var named: [Way: Named] = [:]
    private var queue = ExpiryQueue<Way>()

    var deadline: Instant? { queue.deadline }

    /// Notes that a token was named. Returns true if another token of the same device was named before.
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
