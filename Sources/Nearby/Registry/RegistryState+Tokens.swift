/// The part that gives tokens to devices, and knows whose a token is.
///
/// A device that takes tokens ahead gets those of an hour at once, each with the time of its turn. While its
/// stream is open, the next ones come before it must ask:
///
///     given    ├─────────────── an hour ──────────────┤
///                                    ├ a refill by the stream, drawn from here
///                                       ├───── on ────┤
///                                                ├ here the device asks by itself
///
/// A device that takes one token at a time gets one that is drawn and lasts ten minutes.
extension RegistryState {
    /// Sets the keys of sealed tokens: of the day before, of this day and, well before midnight, of the next.
    /// Without them each device gets one token at a time.
    public mutating func setTokenKeys(_ keys: [TokenKey]) { sealed.keys = keys }

    /// The days of the keys that were set.
    public var tokenKeyDays: [Int] { sealed.keys.map { $0.day } }

    /// Returns the day of a time, counted from 1970 in UTC.
    public func day(at time: Instant) -> Int { sealed.day(at: time) }

    // MARK: Whose a token is

    /// Returns the entry of a token, whose device may have replaced it already; `nil` if it is nobody's.
    ///
    /// Both kinds are looked up for each token, so that the time taken does not reveal which it is.
    mutating func issued(_ token: Token, now: Instant) -> IssuedTokens.Issued? {
        let sealed = openSealed(token, now: now)
        return tokens[token] ?? sealed
    }

    /// Returns true if a token with this entry counts now.
    func isValid(_ issued: IssuedTokens.Issued, at now: Instant) -> Bool {
        issued.begin - settings.clockDifference <= now && now < issued.end
    }

    private mutating func openSealed(_ token: Token, now: Instant) -> IssuedTokens.Issued? {
        guard let content = sealed.open(token, now: now), let id = handles[content.handle],
            let end = devices[id]?.ahead[content.medium], let turn = turn(content.turn, of: id)
        else { return nil }
        let time = sealed.time(of: turn)
        guard time.upperBound <= end else { return nil }
        return IssuedTokens.Issued(
            device: id, medium: content.medium, begin: time.lowerBound,
            end: time.upperBound + settings.grace)
    }

    /// Returns a device's turn, which is most often the one that it was asked for last.
    private mutating func turn(_ number: Int64, of id: DeviceID) -> SealedTokens.Turn? {
        if let known = devices[id]?.turn, known.number == number { return known }
        guard let handle = devices[id]?.handle, let turn = sealed.turn(number, of: handle) else { return nil }
        devices[id]!.turn = turn
        return turn
    }

    /// Returns the time until which a device has tokens of a medium; `nil` if it has none.
    public func tokenEnd(of id: DeviceID, on medium: Medium) -> Instant? {
        [devices[id]?.ahead[medium], tokens.end(of: id, medium)].compactMap { $0 }.max()
    }

    // MARK: Handles

    /// Returns the number by which a device's sealed tokens name it; `nil` if it has had none.
    public func handle(of id: DeviceID) -> TokenHandle? { devices[id].flatMap { $0.handle } }

    private mutating func drawHandle(of id: DeviceID) -> TokenHandle {
        var handle = TokenHandle(using: &random)
        while handles[handle] != nil { handle = TokenHandle(using: &random) }
        setHandle(of: id, handle)
        return handle
    }

    private mutating func setHandle(of id: DeviceID, _ handle: TokenHandle) {
        devices[id]!.handle = handle
        handles[handle] = id
    }

    /// Makes all tokens valid again that a device may have got before a restart.
    mutating func restoreTokens(of id: DeviceID, _ handle: TokenHandle?, now: Instant) {
        guard let handle, handles[handle] == nil else { return }
        setHandle(of: id, handle)
        for medium in Medium.allCases {
            devices[id]!.ahead[medium] = now + settings.tokensAhead + SealedTokens.longestTurn
        }
    }

    // MARK: Giving

    /// Gives a device the tokens that it asks for, and those that it needs because others do not count.
    mutating func grant(_ report: Report, to id: DeviceID, now: Instant, in answer: inout Answer) {
        var media = report.wantsTokens
        if report.takesTokensAhead {
            for one in report.playing {
                let issued = issued(one.token, now: now)
                let isOwn = issued.map { $0.device == id && isValid($0, at: now) } ?? false
                if !isOwn { media.insert(one.medium) }
            }
        }
        for medium in media.ordered() {
            let ahead = report.takesTokensAhead ? grantAhead(medium, to: id, now: now) : []
            answer.grants += ahead.isEmpty ? [grantOne(medium, to: id, now: now)] : ahead
        }
    }

    private mutating func grantOne(_ medium: Medium, to id: DeviceID, now: Instant) -> Answer.Grant {
        let token = tokens.issue(
            to: id, medium, now: now, life: settings.tokenLife, grace: settings.grace, random: &random)
        return Answer.Grant(token, on: medium, timeToLive: settings.tokenLife)
    }

    /// Returns the token of now and those of the next hour. There may be none, or few, without the keys of
    /// their days.
    private mutating func grantAhead(_ medium: Medium, to id: DeviceID, now: Instant) -> [Answer.Grant] {
        guard !sealed.keys.isEmpty else { return [] }
        let handle = devices[id]!.handle ?? drawHandle(of: id)
        var next = sealed.turn(at: now, of: handle)
        devices[id]!.turn = next
        var grants: [Answer.Grant] = []
        while let turn = next,
            let token = sealed.seal(.init(handle: handle, turn: turn.number, medium: medium))
        {
            let time = sealed.time(of: turn)
            guard time.lowerBound < now + settings.tokensAhead else { break }
            grants.append(
                Answer.Grant(
                    token, on: medium, startsIn: max(.zero, time.lowerBound.offset - now.offset),
                    timeToLive: time.upperBound.offset - now.offset))
            devices[id]!.ahead[medium] = max(time.upperBound, devices[id]!.ahead[medium] ?? .start)
            next = sealed.turn(after: turn, of: handle)
        }
        return grants
    }

    // MARK: Refills

    /// Notes which tokens a device broadcasts.
    mutating func notePlaying(_ report: Report, of id: DeviceID, now: Instant) {
        for token in tokens.note(report.playing, of: id, now: now, grace: settings.grace) {
            proximity.limit(token, of: id, to: now + settings.grace + settings.shortestLoss)
        }
        guard report.isComplete else { return }
        // Those on other media, which it may have got before a restart, are none any more.
        let media = devices[id]!.playing.media.union(report.wantsTokens)
        for medium in Medium.allCases where !media.contains(medium) { devices[id]!.ahead[medium] = nil }
    }

    /// Plans when the next tokens go to a device that broadcasts and has an open stream; to others, none do.
    /// The times of devices that came together are drawn apart.
    mutating func planRefill(of id: DeviceID, now: Instant) {
        guard isStreaming(id), let end = devices[id]?.endOfTokensAhead else {
            devices[id]?.refill = nil
            return
        }
        let earliest = end - settings.tokensAhead * 5 / 12
        guard devices[id]!.refill.map({ $0 < earliest }) ?? true else { return }
        let time = max(now, earliest) + random.nextDuration(in: .zero...(settings.tokensAhead / 6))
        devices[id]!.refill = time
        refills.add(id, at: time)
    }

    /// Gives a device its next tokens, if that is still due.
    mutating func refill(_ id: DeviceID, now: Instant, _ events: inout RegistryEvents) {
        // The queue may still hold the time of a refill that was planned anew.
        guard let device = devices[id], let time = device.refill, time <= now else { return }
        devices[id]!.refill = nil
        for medium in device.playing.media.ordered() {
            let grants = grantAhead(medium, to: id, now: now)
            if !grants.isEmpty { events.answers[id, default: Answer()].grants += grants }
        }
        planRefill(of: id, now: now)
    }
}
