import Nearby

/// ``Answer`` as JSON.
package struct WireAnswer: Codable, Sendable, Hashable {
    /// `Answer.Grant` as JSON.
    package struct Grant: Codable, Sendable, Hashable {
        /// The token: 11 characters of base64url.
        package var token: String
        /// The medium: `audio` or `ble`.
        package var medium: String
        /// The time in milliseconds from the answer on, after which the token may not be broadcast.
        package var timeToLiveMillis: Int64
        /// The time in milliseconds from the answer on, after which the token replaces the one before; `nil`
        /// if it does so at once.
        package var startsInMillis: Int64?
    }

    /// `Answer.Delivery` as JSON.
    package struct Delivery: Codable, Sendable, Hashable {
        /// The change: `found`, `updated` or `lost`.
        package var change: String
        /// The device's own number for the subscription, greater than 0.
        package var subscription: Int64
        /// The publication's opaque name, which reveals nothing about the publisher.
        package var publication: String
        /// The message as it is now; for a publication that is lost, as it was last delivered.
        package var message: WireMessage
    }

    /// A publication or subscription that was refused.
    package struct Refused: Codable, Sendable, Hashable {
        /// The device's own number for it, greater than 0.
        package var id: Int64
        /// One line that says why it was refused, and what to do.
        package var error: String
    }

    /// The tokens to broadcast from now on, in the order of their times, or `nil` if there are none. They
    /// replace all earlier ones of their media.
    package var grants: [Grant]?
    /// One verdict for each of ``WireReport/observations``, in their order: `valid`, `invalid` or
    /// `notJudged`. A shorter list leaves out the last observations, which may be reported again. `nil` if
    /// there are no verdicts, or the server has none by medium.
    package var verdicts: [String]?
    /// For each of ``verdicts``, the milliseconds after which a valid token that is no longer heard counts as
    /// lost; 0 if its end need not be reported. `nil` if the report's observations are not complete.
    package var patienceMillis: [Int64]?
    /// The longest time in milliseconds to the device's next report, from now on; `nil` if it stays as it
    /// was. An event names it when the stream of events shows that the device is there.
    package var keepAliveMillis: Int64?
    /// The number of seconds over which the server wants its clients to spread their return when their
    /// streams break, over 0; `nil` in all but the events that say so in advance. Such an event has no id:
    /// a client that does not know the number takes it for an answer without events.
    package var retryWithinSeconds: Int?
    /// The observed tokens that belong to a device nearby on a medium that the report named, sorted, or `nil`
    /// if there are none. They are for clients that do not know ``verdicts``.
    package var valid: [String]?
    /// The observed tokens that belong to no device on any medium that the report named, sorted, or `nil` if
    /// there are none. They are for clients that do not know ``verdicts``.
    package var invalid: [String]?
    /// The publications and subscriptions of the report that were refused, or `nil` if there are none. The
    /// server took all others.
    package var refused: [Refused]?
    /// The deliveries in order, numbered one by one up to ``news``, or `nil` if there are none.
    package var deliveries: [Delivery]?
    /// The mailbox that ``news`` counts.
    package var mailbox: String?
    /// The number of the last of ``deliveries``. The next report names it.
    package var news: Int64?

    /// Encodes an answer, without `Answer.broadcasts`, which no server has, and without the readings of
    /// beacons.
    ///
    /// - Parameters:
    ///   - observations: the observations of the report, in its order.
    ///   - mailbox: the mailbox that `news` counts.
    ///   - news: the number of the last delivery.
    package init(
        _ answer: Answer, to observations: [TokenObservation] = [], mailbox: String? = nil,
        news: Int64? = nil
    ) {
        (self.mailbox, self.news) = (mailbox, news)
        grants =
            answer.grants.map {
                Grant(
                    token: $0.token.description, medium: $0.medium.rawValue,
                    timeToLiveMillis: $0.timeToLive.wireMillis,
                    startsInMillis: $0.startsIn > .zero ? $0.startsIn.wireMillis : nil)
            }.nonEmpty
        keepAliveMillis = answer.keepAlive?.wireMillis
        if !answer.refused.isEmpty {
            refused = answer.refused.sorted { $0.key < $1.key }.map {
                Refused(id: $0.key.wire, error: $0.value)
            }
        }
        deliveries =
            answer.deliveries.map {
                Delivery(
                    change: $0.change.rawValue, subscription: $0.subscription.wire,
                    publication: $0.discovery.id.description, message: WireMessage($0.discovery.message))
            }.nonEmpty
        // An event has none.
        if !answer.verdicts.isEmpty { setVerdicts(of: answer, on: observations) }
    }

    private mutating func setVerdicts(of answer: Answer, on observations: [TokenObservation]) {
        var (words, millis): ([String], [Int64]) = ([], [])
        var (good, bad, open): ([Token], [Token], [Token]) = ([], [], [])
        for heard in observations.lazy.map(\.heard) {
            // The observations without a verdict are the last ones: the list is cut, not thinned out.
            guard let verdict = answer.verdicts[heard] else { break }
            words.append(verdict.rawValue)
            switch verdict {
            case .valid: good.append(heard.token)
            case .invalid: bad.append(heard.token)
            case .notJudged: open.append(heard.token)
            }
            millis.append(answer.patience[heard]?.wireMillis ?? 0)
        }
        verdicts = words.nonEmpty
        if !answer.patience.isEmpty { patienceMillis = millis }
        valid = WireAnswer.names(good)
        if bad.isEmpty { return }
        invalid = WireAnswer.names(Set(bad).subtracting(good).subtracting(open))
    }

    /// Returns each token's name once, in order; `nil` if there are none.
    private static func names(_ tokens: some Collection<Token>) -> [String]? {
        let names = tokens.map(\.description)
        return names.count < 2 ? names.nonEmpty : Set(names).sorted()
    }

    /// An answer that only says how to come back when the stream breaks.
    package init(retryWithinSeconds: Int) {
        self.init(Answer())
        self.retryWithinSeconds = retryWithinSeconds
    }

    /// Decodes the answer.
    ///
    /// - Parameter observations: the observations of the report that it answers, in its order.
    ///
    /// Throws: an error that says what is wrong, and where.
    package func value(to observations: [TokenObservation] = []) throws(WireError) -> Answer {
        var answer = Answer()
        for (n, one) in (grants ?? []).enumerated() {
            answer.grants.append(
                .init(
                    try Token(wire: one.token, "grants[\(n)].token"),
                    on: try Medium(wire: one.medium, "grants[\(n)].medium"),
                    startsIn: .milliseconds(max(0, one.startsInMillis ?? 0)),
                    timeToLive: .milliseconds(one.timeToLiveMillis)))
        }
        answer.verdicts = try verdicts(on: observations)
        for (one, millis) in zip(observations, patienceMillis ?? []) where millis >= 0 {
            answer.patience[one.heard] = .milliseconds(millis)
        }
        answer.keepAlive = keepAliveMillis.map { .milliseconds(max(1000, $0)) }
        for (n, one) in (refused ?? []).enumerated() {
            answer.refused[try OperationID(wire: one.id, "refused[\(n)].id")] =
                WireError("", one.error).description
        }
        for (n, one) in (deliveries ?? []).enumerated() {
            answer.deliveries.append(try one.value("deliveries[\(n)]"))
        }
        return answer
    }

    /// Returns the verdicts from ``verdicts``, or from the two lists of a server that does not have it. A
    /// token in neither list was not judged.
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
