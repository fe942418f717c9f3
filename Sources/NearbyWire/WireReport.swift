import Nearby

/// ``Report`` as JSON.
public struct WireReport: Codable, Sendable, Hashable {
    public struct Published: Codable, Sendable, Hashable {
        public var id: Int64
        public var message: WireMessage
        public var strategy: WireStrategy
    }

    public struct Subscribed: Codable, Sendable, Hashable {
        public var id: Int64
        public var filter: [WireRule]
        public var strategy: WireStrategy
    }

    public struct Observation: Codable, Sendable, Hashable {
        public var token: String
        public var medium: String
        public var ageMillis: Int64
        public var snrDecibels: Double?
        public var rssiDBm: Int?
    }

    public struct Playing: Codable, Sendable, Hashable {
        public var token: String
        public var medium: String
        public var periodMillis: Int64
    }

    public var publish: [Published]?
    public var subscribe: [Subscribed]?
    public var end: [Int64]?
    public var observations: [Observation]?
    public var playing: [Playing]?
    public var wantsTokens: [String]?
    /// Whose news were taken: ``WireAnswer/mailbox``.
    public var mailbox: String?
    /// The last news that were taken; what came before is not told again.
    public var takenNews: Int64?
    /// Of this device's reports, each higher than the one before: one that comes after a later one says what is no longer so.
    public var number: Int64?
    public var isComplete: Bool?
    public var isFarewell: Bool?

    public init(
        _ report: Report, mailbox: String? = nil, takenNews: Int64? = nil, number: Int64? = nil
    ) {
        (self.mailbox, self.takenNews, self.number) = (mailbox, takenNews, number)
        publish =
            report.published.sorted { $0.key < $1.key }.compactMap { id, publication in
                guard case .message(let message) = publication.content else { return nil }
                return Published(
                    id: id.wire, message: WireMessage(message), strategy: WireStrategy(publication.strategy))
            }.nonEmpty
        subscribe = report.subscribed.sorted { $0.key < $1.key }.map { Subscribed($0, $1) }.nonEmpty
        end = report.ended.sorted().map(\.wire).nonEmpty
        observations =
            report.observations.map {
                Observation(
                    token: $0.token.description, medium: $0.medium.rawValue, ageMillis: $0.age.wireMillis,
                    snrDecibels: $0.signal.snrDecibels.map(Double.init), rssiDBm: $0.signal.rssiDBm)
            }.nonEmpty
        playing =
            report.playing.map {
                Playing(
                    token: $0.token.description, medium: $0.medium.rawValue,
                    periodMillis: $0.period.wireMillis)
            }.nonEmpty
        wantsTokens = report.wantsTokens.sorted().map(\.rawValue).nonEmpty
        isComplete = report.isComplete ? true : nil
        isFarewell = report.isFarewell ? true : nil
    }

    /// Throws: what is wrong, and where.
    public func value() throws(WireError) -> Report {
        var report = Report()
        for (n, one) in (publish ?? []).enumerated() {
            let id = try OperationID(wire: one.id, "publish[\(n)].id")
            let message = try one.message.value("publish[\(n)].message")
            report.published[id] = Publication(
                message, strategy: try one.strategy.value("publish[\(n)].strategy"))
        }
        for (n, one) in (subscribe ?? []).enumerated() {
            let (id, subscription) = try one.value("subscribe[\(n)]")
            report.subscribed[id] = subscription
        }
        for (n, id) in (end ?? []).enumerated() {
            report.ended.insert(try OperationID(wire: id, "end[\(n)]"))
        }
        for (n, one) in (observations ?? []).enumerated() {
            report.observations.append(try one.value("observations[\(n)]"))
        }
        for (n, one) in (playing ?? []).enumerated() {
            report.playing.append(try one.value("playing[\(n)]"))
        }
        for (n, name) in (wantsTokens ?? []).enumerated() {
            report.wantsTokens.insert(try Medium(wire: name, "wantsTokens[\(n)]"))
        }
        report.isComplete = isComplete ?? false
        report.isFarewell = isFarewell ?? false
        return report
    }
}

extension WireReport.Subscribed {
    init(_ id: OperationID, _ subscription: Subscription) {
        self.id = id.wire
        filter = subscription.filter.rules.compactMap { WireRule($0) }
        strategy = WireStrategy(subscription.strategy)
    }

    func value(_ place: String) throws(WireError) -> (OperationID, Subscription) {
        guard (1...WireRule.maximumCount).contains(filter.count) else {
            throw WireError("\(place).filter", "1 to \(WireRule.maximumCount) rules, not \(filter.count)")
        }
        var rules: Set<MessageFilter.Rule> = []
        for (n, rule) in filter.enumerated() { rules.insert(try rule.value("\(place).filter[\(n)]")) }
        return (
            try OperationID(wire: id, "\(place).id"),
            Subscription(MessageFilter(rules), strategy: try strategy.value("\(place).strategy"))
        )
    }
}

extension WireReport.Observation {
    func value(_ place: String) throws(WireError) -> TokenObservation {
        TokenObservation(
            try Token(wire: token, "\(place).token"), on: try Medium(wire: medium, "\(place).medium"),
            age: .milliseconds(ageMillis),
            signal: .init(snrDecibels: snrDecibels.map { Float($0) }, rssiDBm: rssiDBm))
    }
}

extension WireReport.Playing {
    func value(_ place: String) throws(WireError) -> PlayingToken {
        guard (0...600_000).contains(periodMillis) else {
            throw WireError("\(place).periodMillis", "0 to 600000, not \(periodMillis)")
        }
        return PlayingToken(
            try Token(wire: token, "\(place).token"), on: try Medium(wire: medium, "\(place).medium"),
            period: .milliseconds(periodMillis))
    }
}

extension Array {
    /// What is empty is left out of the body.
    var nonEmpty: [Element]? { isEmpty ? nil : self }
}
