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
    private var current: [RegistryState.DeviceID: [Medium: Token]] = [:]

    subscript(_ token: Token) -> Issued? { issued[token] }

    var deadline: Instant? { issued.values.map(\.end).min() }

    /// A new one; both this and the one before on that medium are good for `grace` after their time.
    mutating func issue(
        to device: RegistryState.DeviceID, _ medium: Medium, now: Instant, life: Duration, grace: Duration,
        random: inout any RandomNumberGenerator & Sendable
    ) -> Token {
        var token = Token(bits: random.next())
        while issued[token] != nil { token = Token(bits: random.next()) }
        issued[token] = Issued(device: device, medium: medium, end: now + life + grace)
        if let old = current[device, default: [:]].updateValue(token, forKey: medium),
            let end = issued[old]?.end
        {
            issued[old]?.end = min(end, now + grace)
        }
        return token
    }

    /// Only who was given a token can say that it is on air.
    mutating func note(_ playing: [PlayingToken], of device: RegistryState.DeviceID) {
        for one in playing where issued[one.token]?.device == device {
            issued[one.token]?.period = one.period
        }
    }

    mutating func expire(now: Instant) {
        guard deadline.map({ $0 <= now }) ?? false else { return }
        issued = issued.filter { $0.value.end > now }
    }

    mutating func revoke(_ device: RegistryState.DeviceID) {
        issued = issued.filter { $0.value.device != device }
        current[device] = nil
    }
}
