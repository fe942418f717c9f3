/// Tokens on air, and whose they are.
struct IssuedTokens: Sendable {
    struct Issued: Sendable {
        var device: RegistryState.DeviceID
        var medium: Medium
        /// When it stands for nobody any more.
        var end: Instant
        /// From one frame to the next, as the broadcaster says.
        var period = Duration.zero
    }

    private var issued: [Token: Issued] = [:]
    private var queue = ExpiryQueue<Token>()
    private var granted: [RegistryState.DeviceID: [Medium: Grants]] = [:]

    /// A device's tokens on one medium. The answer with the last one may be lost: until the device says that it sends that one, the one
    /// that it said so of stays as good as it was.
    private struct Grants: Sendable {
        var last: Token
        /// The one that the device said last that it sends.
        var played: Token?
    }

    /// Nil once its time is over.
    func find(_ token: Token, now: Instant) -> Issued? { issued[token].flatMap { $0.end > now ? $0 : nil } }

    var deadline: Instant? { queue.deadline }

    /// A new one, good for `grace` after its time. So is the one that the device sends; one before it that the device never sent has no
    /// more than `grace` from now on.
    mutating func issue(
        to device: RegistryState.DeviceID, _ medium: Medium, now: Instant, life: Duration, grace: Duration,
        random: inout some RandomNumberGenerator
    ) -> Token {
        var token = Token(bits: random.next())
        while issued[token] != nil { token = Token(bits: random.next()) }
        issued[token] = Issued(device: device, medium: medium, end: now + life + grace)
        queue.add(token, at: now + life + grace)
        let old = granted[device]?[medium]
        granted[device, default: [:]][medium] = Grants(last: token, played: old?.played)
        if let old, old.last != old.played { end(old.last, by: now + grace) }
        return token
    }

    private mutating func end(_ token: Token, by time: Instant) {
        if let end = issued[token]?.end { issued[token]?.end = min(end, time) }
    }

    /// Those that may be on the air, the one that the device sends before the one that it was granted last.
    func held(by device: RegistryState.DeviceID) -> [DeviceRecord.Held] {
        (granted[device] ?? [:]).inOrder.flatMap { medium, grants in
            let tokens = [grants.played, grants.played == grants.last ? nil : grants.last]
            return tokens.compactMap { $0 }.compactMap { token in
                issued[token].map { DeviceRecord.Held(token, on: medium, end: $0.end) }
            }
        }
    }

    /// Takes back what ``held(by:)`` has given, in that order.
    mutating func restore(_ held: DeviceRecord.Held, of device: RegistryState.DeviceID) {
        issued[held.token] = Issued(device: device, medium: held.medium, end: held.end)
        queue.add(held.token, at: held.end)
        let before = granted[device]?[held.medium]?.last
        granted[device, default: [:]][held.medium] = Grants(last: held.token, played: before)
    }

    /// Only who was given a token can say that it is on air. One that was sent before has `grace` from then on.
    mutating func note(
        _ playing: [PlayingToken], of device: RegistryState.DeviceID, now: Instant, grace: Duration
    ) {
        for one in playing where issued[one.token]?.device == device {
            issued[one.token]?.period = one.period
            guard let medium = issued[one.token]?.medium, let grants = granted[device]?[medium],
                grants.last == one.token, grants.played != one.token
            else { continue }
            if let played = grants.played { end(played, by: now + grace) }
            granted[device]?[medium]?.played = one.token
        }
    }

    mutating func expire(now: Instant) {
        while let token = queue.next(at: now) { issued[token] = nil }
    }

    mutating func revoke(_ device: RegistryState.DeviceID) {
        for grants in (granted.removeValue(forKey: device) ?? [:]).values {
            issued[grants.last] = nil
            if let played = grants.played { issued[played] = nil }
        }
    }
}
