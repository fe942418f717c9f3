/// The part that judges what devices hear, and notes how long each of them is there.
extension RegistryState {
    /// The result of judging an observation.
    private struct Judgement {
        var verdict: TokenVerdict
        /// The hearing that the observation shows; `nil` if it shows none.
        var hearing: Hearing?
        var isNew = false
        /// The token as evidence of the hearing, from a listener that names all it hears.
        var evidence: ProximityTable.Evidence?
        /// The time after which the token counts as lost.
        var patience = Duration.zero
    }

    /// A token that a report names, and what it shows. It is no evidence if it came too late.
    private typealias Named = (token: HeardToken, hearing: Hearing, evidence: ProximityTable.Evidence?)

    /// Judges all observations of a report. Returns the devices that are newly heard, and those that are not
    /// any more.
    ///
    /// - Parameter missLimit: see ``report(_:from:missLimit:now:)``.
    mutating func judge(
        _ report: Report, by id: DeviceID, missLimit: Int, now: Instant, in answer: inout Answer
    ) -> (begun: [DeviceID], ended: [DeviceID]) {
        let isComplete = report.observationsAreComplete
        let presence = isComplete ? presenceEnd(of: id, now: now) : nil
        if let presence { proximity.setPresence(of: id, until: presence) }
        var (begun, named): ([DeviceID], [Named]) = ([], [])
        var missCount = 0
        for observation in report.observations {
            let isTrusted = missCount < missLimit
            let issued = issued(observation.token, now: now)
            let one =
                (isComplete ? judgeKnown(observation, issued, by: id) : nil)
                ?? judge(observation, issued, by: id, isTrusted, presence: presence, now: now)
            if one.verdict == .invalid { missCount += 1 }
            // If a report names a token twice, once too late, the verdict follows the other time.
            let former = answer.verdicts.updateValue(one.verdict, forKey: observation.heard)
            if let former, former != .notJudged, one.verdict != .valid {
                answer.verdicts[observation.heard] = former
            }
            guard let hearing = one.hearing else { continue }
            named.append((observation.heard, hearing, one.evidence))
            if one.verdict == .valid, isComplete { answer.patience[observation.heard] = one.patience }
            if one.isNew { begun.append(hearing.speaker) }
        }
        guard let presence else { return (begun, []) }
        let hearings = Set(named.lazy.map { $0.hearing })
        if hearings.count < named.count { settle(named, until: presence, in: &answer) }
        let ended = proximity.keep(hearings, of: id)
        answer.keepAlive = keepAlive(of: id)
        return (begun, ended)
    }

    /// Settles which token counts where a report shows one hearing by several: a listener may hear a device's
    /// former token beside the present one, which ends later.
    private mutating func settle(_ named: [Named], until presence: Instant, in answer: inout Answer) {
        let evidences = named.compactMap { one in one.evidence.map { (one.hearing, $0) } }
        for (hearing, evidence) in evidences.ordered(by: { $0.1.end < $1.1.end })
        where proximity.evidence(of: hearing)?.token != evidence.token {
            _ = proximity.hear(hearing, until: presence, evidence: evidence)
        }
        for (token, hearing, _) in named
        where answer.patience[token] != nil && proximity.evidence(of: hearing)?.token != token.token {
            answer.patience[token] = .zero
        }
    }

    /// Judges an observation of a device that the listener hears already, by a token that the device may have
    /// replaced meanwhile: a listener may not have heard the next one yet. How long it still counts is
    /// limited since the token was replaced.
    ///
    /// A listener whose patience is over names the token once more, because its device may have slowed down.
    /// If it has not, the hearing has ended.
    private func judgeKnown(
        _ observation: TokenObservation, _ issued: IssuedTokens.Issued?, by id: DeviceID
    ) -> Judgement? {
        guard observation.age >= .zero, observation.age <= settings.longestLoss,
            let issued, issued.medium == observation.medium
        else { return nil }
        let hearing = Hearing(listener: id, speaker: issued.device, medium: issued.medium)
        guard let evidence = proximity.evidence(of: hearing), evidence.token == observation.token else {
            return nil
        }
        let patience = patience(with: issued)
        guard observation.age < patience else { return Judgement(verdict: .notJudged) }
        return Judgement(verdict: .valid, hearing: hearing, evidence: evidence, patience: patience)
    }

    /// Judges an observation by a token that is on air.
    ///
    /// The registry looks up every token, and does nothing else for one that belongs to no device: the time
    /// taken does not reveal why.
    ///
    /// - Parameter presence: the end of what the device hears unless it shows that it is there; `nil` if it
    ///   does not name all that it hears.
    private mutating func judge(
        _ observation: TokenObservation, _ former: IssuedTokens.Issued?, by id: DeviceID, _ isTrusted: Bool,
        presence: Instant?, now: Instant
    ) -> Judgement {
        let issued = former.flatMap { isValid($0, at: now) ? $0 : nil }
        let hearing = issued.map { Hearing(listener: id, speaker: $0.device, medium: $0.medium) }
        guard observation.age >= .zero, observation.age <= settings.shortestLoss else {
            // It is no evidence, but it does not end what is heard already either.
            let known = hearing.flatMap { proximity.contains($0) ? $0 : nil }
            return Judgement(verdict: .notJudged, hearing: known)
        }
        guard let issued, let hearing, issued.medium == observation.medium, devices[issued.device] != nil
        else { return Judgement(verdict: isTrusted ? .invalid : .notJudged) }
        guard issued.device != id else { return Judgement(verdict: .valid) }
        guard
            isTrusted || proximity.hears(id, issued.device)
                || unconfirmed.confirms(hearing, observation.token, now: now)
        else { return Judgement(verdict: .notJudged) }
        let life = patience(with: issued)
        let evidence = ProximityTable.Evidence(
            token: observation.token, end: issued.end + settings.shortestLoss)
        let isNew =
            if let presence {
                proximity.hear(hearing, until: presence, evidence: evidence)
            } else {
                proximity.hear(hearing, until: now - observation.age + life)
            }
        return Judgement(
            verdict: .valid, hearing: hearing, isNew: isNew, evidence: evidence, patience: life)
    }

    /// Returns the time after the last hearing for which a token counts as heard: several of its device's
    /// frames.
    private func patience(with issued: IssuedTokens.Issued) -> Duration {
        let period = devices[issued.device]?.playing[issued.medium] ?? .zero
        let several = max(settings.shortestLoss, period * settings.missedFrames)
        return min(several, max(settings.shortestLoss, settings.longestLoss))
    }

    // MARK: Presence

    func isStreaming(_ id: DeviceID) -> Bool { devices[id].map { $0.isStreaming } ?? false }

    /// Returns the time at which what a device hears ends unless the device shows that it is there.
    private func presenceEnd(of id: DeviceID, now: Instant) -> Instant {
        isStreaming(id) ? .end : now + settings.shortestLoss
    }

    /// Returns the longest time to the next report of a device. A tenth of it is drawn, so that devices that
    /// came together report apart.
    private mutating func keepAlive(of id: DeviceID) -> Duration {
        if isStreaming(id) {
            return settings.keepAliveByStream * (0.9 + 0.1 * random.nextShare())
        }
        return proximity.hearsAny(id) ? settings.keepAliveOfListener : settings.keepAliveOfOthers
    }

    /// Asks a device to report at once. If it does not, what it hears ends. Only that can tell a device that
    /// has stopped from one that is not heard: the kernel keeps its connection open.
    ///
    /// - Parameter listener: the device that it hears, and which does not hear it any more.
    mutating func askWhetherItIsThere(
        _ id: DeviceID, heard listener: DeviceID, now: Instant, _ events: inout RegistryEvents
    ) {
        guard let device = devices[id], device.isStreaming, device.namesAllItHears, !device.isInDoubt,
            proximity.hears(id, listener)
        else { return }
        devices[id]!.isInDoubt = true
        proximity.setPresence(of: id, until: now + settings.confirmation)
        events.answers[id, default: Answer()].keepAlive = Answer.atOnce
    }

    /// Returns true if the device hears any other: whether it is there then matters to both.
    public func hearsAny(_ id: DeviceID) -> Bool { proximity.hearsAny(id) }

    /// Notes that a stream of notifications to a device is open, so that its reports need not show that it is
    /// there. Returns the longest time to its next report; `nil` if it does not name all that it hears.
    ///
    /// - Parameter isDirect: false if a proxy holds the stream, whose end would say nothing about the device.
    public mutating func beginStream(of id: DeviceID, isDirect: Bool, now: Instant) -> Duration? {
        guard devices[id] != nil else { return nil }
        endStream(of: id, isDead: false, now: now)
        guard isDirect else { return nil }
        devices[id]!.isStreaming = true
        proximity.setPresence(of: id, until: .end)
        planRefill(of: id, now: now)
        return devices[id]!.namesAllItHears ? keepAlive(of: id) : nil
    }

    /// Notes that a device's stream has ended. The device may open another one or report for a while before
    /// what it hears ends.
    ///
    /// - Parameter isDead: true if the device did not answer for so long that the connection was given up:
    ///   what it hears ends at once.
    public mutating func endStream(of id: DeviceID, isDead: Bool, now: Instant) {
        guard isStreaming(id) else { return }
        devices[id]!.isStreaming = false
        devices[id]!.lastReport = now
        planRefill(of: id, now: now)
        proximity.setPresence(of: id, until: isDead ? now : now + settings.streamGrace)
    }
}
