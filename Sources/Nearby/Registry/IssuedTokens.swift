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
    private var current: [RegistryState.DeviceID: [Medium: Token]] = [:]

    /// Nil once its time is over.
    func find(_ token: Token, now: Instant) -> Issued? { issued[token].flatMap { $0.end > now ? $0 : nil } }

    var deadline: Instant? { queue.deadline }

    /// A new one; both this and the one before on that medium are good for `grace` after their time.
    mutating func issue(
        to device: RegistryState.DeviceID, _ medium: Medium, now: Instant, life: Duration, grace: Duration,
        random: inout any RandomNumberGenerator & Sendable
    ) -> Token {
        var token = Token(bits: random.next())
        while issued[token] != nil { token = Token(bits: random.next()) }
        issued[token] = Issued(device: device, medium: medium, end: now + life + grace)
        queue.add(token, at: now + life + grace)
        if let old = current[device, default: [:]].updateValue(token, forKey: medium),
            let end = issued[old]?.end
        {
            issued[old]?.end = min(end, now + grace)
        }
        return token
    }

    func held(by device: RegistryState.DeviceID) -> [DeviceRecord.Held] {
        (current[device] ?? [:]).sorted { $0.key < $1.key }.compactMap { medium, token in
            issued[token].map { DeviceRecord.Held(token, on: medium, end: $0.end) }
        }
    }

    mutating func restore(_ held: DeviceRecord.Held, of device: RegistryState.DeviceID) {
        issued[held.token] = Issued(device: device, medium: held.medium, end: held.end)
        queue.add(held.token, at: held.end)
        current[device, default: [:]][held.medium] = held.token
    }

    /// Only who was given a token can say that it is on air.
    mutating func note(_ playing: [PlayingToken], of device: RegistryState.DeviceID) {
        for one in playing where issued[one.token]?.device == device {
            issued[one.token]?.period = one.period
        }
    }

    mutating func expire(now: Instant) {
        while let token = queue.next(at: now) { issued[token] = nil }
    }

    mutating func revoke(_ device: RegistryState.DeviceID) {
        for token in current.removeValue(forKey: device)?.values ?? [:].values { issued[token] = nil }
    }
}
