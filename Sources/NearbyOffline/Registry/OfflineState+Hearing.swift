import Nearby

extension OfflineState {
    /// A token or a frame of a report, to be handled in the order in which they were heard.
    private enum Heard {
        case token(TokenObservation)
        case frame(FrameObservation)

        var age: Duration {
            switch self {
            case .token(let one): one.age
            case .frame(let one): one.age
            }
        }
    }

    /// The sender of something that was heard, and the epoch of its key.
    private struct Origin {
        var sender: UInt32
        var epoch: UInt64
    }

    /// Takes the tokens and frames of a report. Returns this device's observations for the inner registry.
    mutating func hear(
        _ report: Report, at time: OfflineTime, answer: inout Answer, events: inout Answer
    ) -> [TokenObservation] {
        let heard = report.observations.map(Heard.token) + report.heard.map(Heard.frame)
        var observed: [TokenObservation] = []
        for one in heard.ordered(by: { $0.age > $1.age }) {
            switch one {
            case .token(let token):
                let (verdict, origin) = judge(token, at: time)
                answer.verdicts[token.heard] = verdict
                observed += observe(origin, on: token.medium, age: token.age, at: time, events: &events)
            case .frame(let frame):
                let origin = take(frame, at: time)
                observed += observe(origin, on: frame.medium, age: frame.age, at: time, events: &events)
            }
        }
        return observed
    }

    /// Returns the verdict, and the origin of a valid token. A token that comes too late, or whose sender
    /// exceeds the limit of neighbours, may be valid when it is heard again. A token of an earlier epoch than
    /// its sender's last is a recording.
    private mutating func judge(
        _ one: TokenObservation, at time: OfflineTime
    ) -> (TokenVerdict, Origin?) {
        guard isRecent(one.age) else { return (.notJudged, nil) }
        guard let (epoch, sender) = ring.first({ $0.sender(of: one.token, on: one.medium) }),
            !own.isSender(sender)
        else { return (.invalid, nil) }
        guard neighbours.admit(sender, epoch: epoch, generation: nil, at: time.now - one.age) else {
            return (neighbours[sender] == nil ? .notJudged : .invalid, nil)
        }
        return (.valid, Origin(sender: sender, epoch: epoch))
    }

    private func isRecent(_ age: Duration) -> Bool { age >= .zero && age <= settings.shortestLoss }

    /// Takes a sealed frame. Returns its origin, or `nil` if it cannot be opened, is this device's own, or is
    /// a recording.
    private mutating func take(_ one: FrameObservation, at time: OfflineTime) -> Origin? {
        guard isRecent(one.age) else { return nil }
        guard let (epoch, fragment) = ring.first({ $0.open(one.frame, on: one.medium) }) else {
            strangeFrameCount += 1
            return nil
        }
        guard !own.isSender(fragment.sender),
            neighbours.admit(
                fragment.sender, epoch: epoch, generation: fragment.generation, at: time.now - one.age)
        else { return nil }
        let sender = fragment.sender
        let origin = Origin(sender: sender, epoch: epoch)
        let known = neighbours[sender]?.known
        guard known?.epoch != epoch || known?.generation != fragment.generation else { return origin }
        if let bytes = neighbours[sender]?.assemblies.add(fragment, epoch: epoch),
            let bulletin = believe(bytes, epoch, fragment)
        {
            neighbours.believe(
                .init(epoch: epoch, generation: fragment.generation, entries: bulletin.entries), of: sender)
        }
        return origin
    }

    /// Reads a bulletin. Returns `nil` if the bytes are not a bulletin, or no publisher that this device
    /// trusts has signed it.
    private func believe(_ bytes: [UInt8], _ epoch: UInt64, _ fragment: Fragment) -> Bulletin? {
        guard let bulletin = Bulletin(bytes) else { return nil }
        guard case .publishers(let publishers) = trust else { return bulletin }
        guard let signature = bulletin.signature else { return nil }
        let statement = Statement(
            project: project, epoch: epoch, fragment.sender, fragment.generation,
            Array(bytes.dropLast(Bulletin.signatureByteCount)))
        return publishers.contains { $0.hasSigned(statement.bytes, signature) } ? bulletin : nil
    }

    /// Returns the observation for the inner registry, if the publications of the origin are known and
    /// recent.
    private mutating func observe(
        _ origin: Origin?, on medium: Medium, age: Duration, at time: OfflineTime, events: inout Answer
    ) -> [TokenObservation] {
        // A device without the publisher's key can claim the publisher's presence for one more epoch, and no
        // longer.
        guard let origin, let one = neighbours[origin.sender], let known = one.known,
            origin.epoch <= known.epoch + 1,
            let token = speak(for: origin.sender, one, known, at: time, events: &events)[medium]
        else { return [] }
        return [TokenObservation(token, on: medium, age: age)]
    }

    /// Reports to the inner registry in another device's name, and returns that device's tokens there.
    private mutating func speak(
        for sender: UInt32, _ one: OfflineNeighbours.Neighbour, _ known: OfflineNeighbours.Known,
        at time: OfflineTime, events: inout Answer
    ) -> [Medium: Token] {
        var (one, report) = (one, Report())
        let isThere = one.device.map { registry.record(of: $0) != nil } ?? false
        if !isThere { (one.device, one.tokens, one.isReported) = (registry.join(now: time.now), [:], false) }
        if one.tokens.isEmpty { report.wantsTokens = Set(Medium.allCases) }
        if !one.isReported {
            report.isComplete = true
            for entry in known.entries {
                report.published[OperationID(UInt64(entry.slot))] = Publication(entry)
            }
        }
        report.playing = one.tokens.map { PlayingToken($1, on: $0, period: one.interval) }
        guard let device = one.device,
            let (answer, found) = try? registry.report(report, from: device, now: time.now)
        else { return [:] }
        tell(found, in: &events)
        for grant in answer.grants { one.tokens[grant.medium] = grant.token }
        one.isReported = true
        neighbours[sender] = one
        return one.tokens
    }
}

extension Publication {
    /// Creates a publication from an entry, or returns `nil` if the entry is not a valid message.
    fileprivate init?(_ entry: Bulletin.Entry) {
        guard let message = try? Message(entry.content, type: entry.type, namespace: entry.namespace) else {
            return nil
        }
        self.init(
            message, strategy: Strategy(mode: .broadcast, reach: entry.isForEarshot ? .earshot : .anywhere))
    }
}
