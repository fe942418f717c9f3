/// The tokens this device broadcasts, one for each medium, and when they change: all together, so that nobody can follow a
/// device from one token to the next by the other medium.
///
///     audio  ──token 1──┬──token 3──┬──
///     ble    ──token 2──┴──token 4──┴──
///                     rotation
struct TokenRotation: Sendable {
    private struct Held: Sendable {
        var token: Token
        var end: Instant
    }

    private var held = PerMedium<Held>()
    /// Own tokens that may still be in the air, and until when.
    private var retired: [Token: Instant] = [:]
    /// When all tokens are to be changed; nil without any.
    private(set) var rotation: Instant?

    /// An echo, or a frame that was on its way: for so long an own token that was given up is known.
    static let echo = Duration.seconds(20)

    var media: Set<Medium> { held.media }
    func token(on medium: Medium) -> Token? { held[medium]?.token }
    func isOwn(_ token: Token) -> Bool {
        retired[token] != nil || held.values.contains { $0.token == token }
    }

    /// When it has something to do.
    var deadline: Instant? {
        ([rotation] + held.values.map { $0.end }).compactMap { $0 }.min()
    }

    /// Puts a token in its medium's place. `period`: until all are changed, if it is the first.
    mutating func take(_ grant: Answer.Grant, now: Instant, period: Duration) {
        retire(grant.medium, now: now)
        held[grant.medium] = Held(token: grant.token, end: now + grant.timeToLive)
        rotation = rotation ?? now + period
    }

    /// All tokens are replaced from here on: the next ones live for a period of their own.
    mutating func beginRotation() { rotation = nil }

    /// Whether the tokens have been broadcast for long enough.
    func isDue(at now: Instant) -> Bool { rotation.map { $0 <= now } ?? false }

    /// Media that `broadcasts` does not name lose their token; so do tokens at their end.
    mutating func keep(_ broadcasts: Set<Medium>, now: Instant) {
        for (medium, one) in held.inOrder where !broadcasts.contains(medium) || one.end <= now {
            retire(medium, now: now)
        }
        if held.isEmpty { rotation = nil }
        if !retired.isEmpty { retired = retired.filter { $0.value > now } }
    }

    /// No token is good any more.
    mutating func giveUp(now: Instant) { keep([], now: now) }

    private mutating func retire(_ medium: Medium, now: Instant) {
        guard let old = held[medium] else { return }
        held[medium] = nil
        retired[old.token] = now + TokenRotation.echo
    }
}
