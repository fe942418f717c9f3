/// The tokens that this device broadcasts, for each medium the one of now and those for later. All media
/// change their tokens together, so that nobody can follow a device from one token to the next by the other
/// medium.
///
///     audio  ──token 1──┬──token 3──┬──
///     ble    ──token 2──┴──token 4──┴──
///                     rotation
struct TokenRotation: Sendable {
    private struct Held: Sendable {
        var token: Token
        var start: Instant
        var end: Instant
        /// True if the registry gave tokens for later with it.
        var isScheduled: Bool
    }

    /// The tokens of each medium: the first one is on air.
    private var held = PerMedium<[Held]>()
    /// The device's former tokens that may still be in the air, and the time until which they may.
    private var retired: [Token: Instant] = [:]
    /// The time at which new tokens are due for all media, or `nil` if there are none.
    private(set) var rotation: Instant?

    /// The time for which a former token is recognised as own, because of an echo or a frame that was on its
    /// way.
    static let echo = Duration.seconds(20)
    /// The most tokens of one medium. A registry gives fewer.
    private static let limit = 100

    func token(on medium: Medium) -> Token? { held[medium]?.first?.token }
    func isOwn(_ token: Token) -> Bool {
        retired[token] != nil || held.values.contains { $0.first?.token == token }
    }
    /// Returns true if the registry knows which token is on air, because it has given it for this time.
    func isScheduled(on medium: Medium) -> Bool { held[medium]?.first?.isScheduled ?? false }

    /// The time at which the rotation next has something to do.
    var deadline: Instant? {
        let changes = held.values.flatMap { list in
            [list.first?.end, list.count > 1 ? list[1].start : nil].compactMap { $0 }
        }
        return (changes + [rotation].compactMap { $0 }).min()
    }

    /// Replaces the tokens of the media that the grants name. If only some media get tokens, the others keep
    /// theirs, and all rotate when these were due.
    ///
    /// - Parameter period: the time until the next rotation, for tokens that come alone. Those that come with
    ///   tokens for later last until a sixth of that time is left.
    mutating func take(_ grants: [Answer.Grant], now: Instant, period: Duration) {
        let media = Set(grants.map { $0.medium })
        if held.media.isSubset(of: media) { rotation = nil }
        for medium in media.ordered() {
            retire(medium, now: now)
            let given = grants.filter { $0.medium == medium }.ordered { $0.startsIn < $1.startsIn }
                .prefix(TokenRotation.limit)
            let list = given.map {
                Held(
                    token: $0.token, start: now + $0.startsIn, end: now + $0.timeToLive,
                    isScheduled: given.count > 1)
            }
            held[medium] = list
            let all = list[list.count - 1].end.offset - now.offset
            rotation = rotation ?? now + (list.count > 1 ? all * 5 / 6 : period)
        }
    }

    /// Returns true if the tokens have been broadcast for long enough.
    func isDue(at now: Instant) -> Bool { rotation.map { $0 <= now } ?? false }

    /// Puts those tokens on air whose time has come. Retires the tokens of media that `broadcasts` does not
    /// contain, and expired tokens.
    mutating func keep(_ broadcasts: Set<Medium>, now: Instant) {
        for (medium, list) in held.inOrder {
            let left = broadcasts.contains(medium) ? TokenRotation.left(of: list, now: now) : []
            guard left.count < list.count else { continue }
            retire(medium, now: now)
            held[medium] = left.isEmpty ? nil : Array(left)
        }
        if held.isEmpty { rotation = nil }
        if !retired.isEmpty { retired = retired.filter { $0.value > now } }
    }

    /// Returns the tokens without those that have expired or whose successor's time has come.
    private static func left(of list: [Held], now: Instant) -> ArraySlice<Held> {
        var left = list[...]
        while let first = left.first,
            first.end <= now || (left.count > 1 && left.dropFirst().first!.start <= now)
        {
            left.removeFirst()
        }
        return left
    }

    /// Retires all tokens, because none is valid any more.
    mutating func giveUp(now: Instant) { keep([], now: now) }

    /// Retires the token on air.
    private mutating func retire(_ medium: Medium, now: Instant) {
        guard let old = token(on: medium) else { return }
        held[medium] = nil
        retired[old] = now + TokenRotation.echo
    }
}
