/// The tokens that this device broadcasts, one for each medium, and the time of their rotation. All tokens
/// change together, so that nobody can follow a device from one token to the next by the other medium.
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
    /// The device's former tokens that may still be in the air, and the time until which they may.
    private var retired: [Token: Instant] = [:]
    /// The time at which all tokens are due for rotation, or `nil` if there are none.
    private(set) var rotation: Instant?

    /// The time for which a former token is recognised as own, because of an echo or a frame that was on its
    /// way.
    static let echo = Duration.seconds(20)

    var media: Set<Medium> { held.media }
    func token(on medium: Medium) -> Token? { held[medium]?.token }
    func isOwn(_ token: Token) -> Bool {
        retired[token] != nil || held.values.contains { $0.token == token }
    }

    /// The time at which the rotation next has something to do.
    var deadline: Instant? {
        ([rotation] + held.values.map { $0.end }).compactMap { $0 }.min()
    }

    /// Replaces the token of a medium. If it is the first token, `period` is the time until the rotation of
    /// all tokens.
    mutating func take(_ grant: Answer.Grant, now: Instant, period: Duration) {
        retire(grant.medium, now: now)
        held[grant.medium] = Held(token: grant.token, end: now + grant.timeToLive)
        rotation = rotation ?? now + period
    }

    /// Starts a rotation that replaces all tokens: the next ones get a period of their own.
    mutating func beginRotation() { rotation = nil }

    /// Returns true if the tokens have been broadcast for long enough.
    func isDue(at now: Instant) -> Bool { rotation.map { $0 <= now } ?? false }

    /// Retires the tokens of media that `broadcasts` does not contain, and expired tokens.
    mutating func keep(_ broadcasts: Set<Medium>, now: Instant) {
        for (medium, one) in held.inOrder where !broadcasts.contains(medium) || one.end <= now {
            retire(medium, now: now)
        }
        if held.isEmpty { rotation = nil }
        if !retired.isEmpty { retired = retired.filter { $0.value > now } }
    }

    /// Retires all tokens, because none is valid any more.
    mutating func giveUp(now: Instant) { keep([], now: now) }

    private mutating func retire(_ medium: Medium, now: Instant) {
        guard let old = held[medium] else { return }
        held[medium] = nil
        retired[old.token] = now + TokenRotation.echo
    }
}
