import Nearby

/// ``Answer`` as JSON.
public struct WireAnswer: Codable, Sendable, Hashable {
    /// `Answer.Grant` as JSON.
    public struct Grant: Codable, Sendable, Hashable {
        /// 11 characters of base64url.
        public var token: String
        /// `audio` or `ble`.
        public var medium: String
        /// Milliseconds from the answer on, after which it may not be broadcast any more.
        public var timeToLiveMillis: Int64
    }

    /// `Answer.Delivery` as JSON.
    public struct Delivery: Codable, Sendable, Hashable {
        /// `found`, `updated` or `lost`.
        public var change: String
        /// The device's own number for it, over 0.
        public var subscription: Int64
        /// Opaque: says nothing of its publisher.
        public var publication: String
        /// As it is now; of a publication that is lost, as it was told last.
        public var message: WireMessage
    }

    /// A publication or subscription that was not taken.
    public struct Refused: Codable, Sendable, Hashable {
        /// The device's own number for it, over 0.
        public var id: Int64
        /// One line: why, and what to do.
        public var error: String
    }

    /// Tokens to broadcast from now on; nil: none.
    public var grants: [Grant]?
    /// One for each of ``WireReport/observations``, in their order: `valid`, `invalid` or `notJudged`. A shorter list leaves the last
    /// ones out: they may be named again. Nil: none, or a server that has no verdicts by medium.
    public var verdicts: [String]?
    /// Tokens observed that stand for a device nearby on a medium that the report named, sorted; nil: none. For clients that do not
    /// know ``verdicts``.
    public var valid: [String]?
    /// Tokens observed that stand for nobody on any medium that the report named, sorted; nil: none. For clients that do not know
    /// ``verdicts``.
    public var invalid: [String]?
    /// Publications and subscriptions of the report that were not taken; nil: none. All else of it was.
    public var refused: [Refused]?
    /// News in order, numbered one by one up to ``news``; nil: none.
    public var deliveries: [Delivery]?
    /// Whose numbers ``news`` are.
    public var mailbox: String?
    /// Number of the last of ``deliveries``: to be named in the next report.
    public var news: Int64?

    /// Without `Answer.broadcasts`, which no server has, and without how beacons are heard.
    ///
    /// - Parameters:
    ///   - observations: those of the report, in its order.
    ///   - mailbox: whose numbers `news` are.
    ///   - news: number of the last delivery.
    public init(
        _ answer: Answer, to observations: [TokenObservation] = [], mailbox: String? = nil,
        news: Int64? = nil
    ) {
        (self.mailbox, self.news) = (mailbox, news)
        grants =
            answer.grants.map {
                Grant(
                    token: $0.token.description, medium: $0.medium.rawValue,
                    timeToLiveMillis: $0.timeToLive.wireMillis)
            }.nonEmpty
        // Those without a verdict are the last ones: the list is cut, not thinned out.
        verdicts =
            observations.prefix { answer.verdicts[$0.heard] != nil }
            .compactMap { answer.verdicts[$0.heard]?.rawValue }.nonEmpty
        let good = answer.tokens(.valid)
        valid = good.map(\.description).sorted().nonEmpty
        let bad = answer.tokens(.invalid).subtracting(good).subtracting(answer.tokens(.notJudged))
        invalid = bad.map(\.description).sorted().nonEmpty
        refused =
            answer.refused.sorted { $0.key < $1.key }.map { Refused(id: $0.key.wire, error: $0.value) }
            .nonEmpty
        deliveries =
            answer.deliveries.map {
                Delivery(
                    change: $0.change.rawValue, subscription: $0.subscription.wire,
                    publication: $0.discovery.id.description, message: WireMessage($0.discovery.message))
            }.nonEmpty
    }

    /// - Parameter observations: those of the report that it answers, in its order.
    ///
    /// Throws: what is wrong, and where.
    public func value(to observations: [TokenObservation] = []) throws(WireError) -> Answer {
        var answer = Answer()
        for (n, one) in (grants ?? []).enumerated() {
            answer.grants.append(
                .init(
                    try Token(wire: one.token, "grants[\(n)].token"),
                    on: try Medium(wire: one.medium, "grants[\(n)].medium"),
                    timeToLive: .milliseconds(one.timeToLiveMillis)))
        }
        answer.verdicts = try verdicts(on: observations)
        for (n, one) in (refused ?? []).enumerated() {
            answer.refused[try OperationID(wire: one.id, "refused[\(n)].id")] =
                WireError("", one.error).description
        }
        for (n, one) in (deliveries ?? []).enumerated() {
            answer.deliveries.append(try one.value("deliveries[\(n)]"))
        }
        return answer
    }

    /// By ``verdicts``, or by the two lists of a server that does not have it; there, a token in neither was not judged.
    private func verdicts(
        on observations: [TokenObservation]
    ) throws(WireError) -> [HeardToken: TokenVerdict] {
        var judged: [HeardToken: TokenVerdict] = [:]
        if let verdicts {
            for (n, (one, word)) in zip(observations, verdicts).enumerated() {
                guard let verdict = TokenVerdict(rawValue: word) else {
                    throw WireError(
                        "verdicts[\(n)]", "valid, invalid or notJudged, not '\(word.prefix(20))'")
                }
                judged[one.heard] = verdict
            }
            return judged
        }
        let good = try WireAnswer.tokens(valid, "valid")
        let bad = try WireAnswer.tokens(invalid, "invalid")
        for one in observations {
            judged[one.heard] =
                good.contains(one.token) ? .valid : bad.contains(one.token) ? .invalid : .notJudged
        }
        return judged
    }

    private static func tokens(_ texts: [String]?, _ place: String) throws(WireError) -> Set<Token> {
        var tokens: Set<Token> = []
        for (n, text) in (texts ?? []).enumerated() {
            tokens.insert(try Token(wire: text, "\(place)[\(n)]"))
        }
        return tokens
    }
}

extension WireAnswer.Delivery {
    func value(_ place: String) throws(WireError) -> Answer.Delivery {
        guard let change = Answer.Change(rawValue: change) else {
            throw WireError("\(place).change", "found, updated or lost, not '\(self.change.prefix(20))'")
        }
        let name = PublicationID(bits: try Token(wire: publication, "\(place).publication").bits)
        return .init(
            change, Discovery(id: name, message: try message.value("\(place).message")),
            to: try OperationID(wire: subscription, "\(place).subscription"))
    }
}
