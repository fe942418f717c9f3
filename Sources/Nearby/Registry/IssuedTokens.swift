/// The drawn tokens on air, and the devices they belong to: those of devices that take one token at a time.
struct IssuedTokens: Sendable {
    struct Issued: Sendable {
        var device: RegistryState.DeviceID
        var medium: Medium
        /// The time from which the token belongs to the device.
        var begin: Instant
        /// The time from which the token belongs to no device.
        var end: Instant
    }

    private var issued: [Token: Issued] = [:]
    private var queue = ExpiryQueue<Token>()
    private var granted: [Holder: Grants] = [:]

    /// A device and a medium, as one number: half the memory of two fields.
    private struct Holder: Hashable {
        let number: UInt64

        init(device: RegistryState.DeviceID, medium: Medium) {
            number = device.bits << 2 | UInt64(medium.place)
        }
    }

    /// A device's tokens on one medium. The answer with the last token may be lost: until the device reports
    /// that it sends the last token, the token that it reported before stays valid.
    private struct Grants: Sendable {
        var last: Token
        /// The token that the device last reported as playing.
        var played: Token?
    }

    /// Returns the entry of a token, which may have expired; `nil` if the token is unknown.
    subscript(token: Token) -> Issued? { issued[token] }

    var deadline: Instant? { queue.deadline }

    /// Issues a new token that is valid for `life` and then for `grace`. The token that the device sends
    /// stays valid as well. An earlier token that the device never sent stays valid for at most `grace` from
    /// now on.
    mutating func issue(
        to device: RegistryState.DeviceID, _ medium: Medium, now: Instant, life: Duration, grace: Duration,
        random: inout some RandomNumberGenerator
    ) -> Token {
        var token = Token(bits: random.next())
        while issued[token] != nil { token = Token(bits: random.next()) }
        issued[token] = Issued(
            device: device, medium: medium, begin: now, end: now + life + grace)
        queue.add(token, at: now + life + grace)
        let holder = Holder(device: device, medium: medium)
        let old = granted[holder]
        granted[holder] = Grants(last: token, played: old?.played)
        if let old, old.last != old.played { end(old.last, by: now + grace) }
        return token
    }

    private mutating func end(_ token: Token, by time: Instant) {
        if let end = issued[token]?.end { issued[token]?.end = min(end, time) }
    }

    /// Returns the time from which no token of the device counts on a medium; `nil` if it has none.
    func end(of device: RegistryState.DeviceID, _ medium: Medium) -> Instant? {
        let grants = granted[Holder(device: device, medium: medium)]
        return [grants?.last, grants?.played].compactMap { $0.flatMap { issued[$0]?.end } }.max()
    }

    /// Notes which tokens a device plays. Only the device that holds a token can report it as playing. The
    /// token that the device played before stays valid for at most `grace` from then on.
    ///
    /// Returns the tokens that were replaced.
    mutating func note(
        _ playing: [PlayingToken], of device: RegistryState.DeviceID, now: Instant, grace: Duration
    ) -> [Token] {
        var replaced: [Token] = []
        for one in playing {
            guard let own = issued[one.token], own.device == device else { continue }
            let holder = Holder(device: device, medium: own.medium)
            guard let grants = granted[holder], grants.last == one.token, grants.played != one.token else {
                continue
            }
            if let played = grants.played {
                end(played, by: now + grace)
                replaced.append(played)
            }
            granted[holder]!.played = one.token
        }
        return replaced
    }

    mutating func expire(now: Instant) {
        while let token = queue.next(at: now) { issued[token] = nil }
    }

    mutating func revoke(_ device: RegistryState.DeviceID) {
        for medium in Medium.allCases {
            guard let grants = granted.removeValue(forKey: Holder(device: device, medium: medium)) else {
                continue
            }
            issued[grants.last] = nil
            if let played = grants.played { issued[played] = nil }
        }
    }
}
