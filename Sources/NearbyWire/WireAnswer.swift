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

    /// Tokens to broadcast from now on; nil: none.
    public var grants: [Grant]?
    /// Of the tokens observed, those of a device nearby, sorted; nil: none.
    public var valid: [String]?
    /// Of the tokens observed, those of nobody, sorted; nil: none.
    public var invalid: [String]?
    /// News in order, numbered one by one up to ``news``; nil: none.
    public var deliveries: [Delivery]?
    /// Whose numbers ``news`` are.
    public var mailbox: String?
    /// Number of the last of ``deliveries``: to be named in the next report.
    public var news: Int64?

    /// Without `Answer.broadcasts`, which no server has, and without how beacons are heard.
    ///
    /// - Parameters:
    ///   - mailbox: whose numbers `news` are.
    ///   - news: number of the last delivery.
    public init(_ answer: Answer, mailbox: String? = nil, news: Int64? = nil) {
        (self.mailbox, self.news) = (mailbox, news)
        grants =
            answer.grants.map {
                Grant(
                    token: $0.token.description, medium: $0.medium.rawValue,
                    timeToLiveMillis: $0.timeToLive.wireMillis)
            }.nonEmpty
        valid = answer.valid.map(\.description).sorted().nonEmpty
        invalid = answer.invalid.map(\.description).sorted().nonEmpty
        deliveries =
            answer.deliveries.map {
                Delivery(
                    change: $0.change.rawValue, subscription: $0.subscription.wire,
                    publication: $0.discovery.id.description, message: WireMessage($0.discovery.message))
            }.nonEmpty
    }

    /// Throws: what is wrong, and where.
    public func value() throws(WireError) -> Answer {
        var answer = Answer()
        for (n, one) in (grants ?? []).enumerated() {
            answer.grants.append(
                .init(
                    try Token(wire: one.token, "grants[\(n)].token"),
                    on: try Medium(wire: one.medium, "grants[\(n)].medium"),
                    timeToLive: .milliseconds(one.timeToLiveMillis)))
        }
        for (n, text) in (valid ?? []).enumerated() {
            answer.valid.insert(try Token(wire: text, "valid[\(n)]"))
        }
        for (n, text) in (invalid ?? []).enumerated() {
            answer.invalid.insert(try Token(wire: text, "invalid[\(n)]"))
        }
        for (n, one) in (deliveries ?? []).enumerated() {
            answer.deliveries.append(try one.value("deliveries[\(n)]"))
        }
        return answer
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
