import Nearby

/// ``Report`` as JSON.
package struct WireReport: Codable, Sendable, Hashable {
    /// A publication of a message as JSON.
    package struct Published: Codable, Sendable, Hashable {
        /// The device's own number for it, greater than 0.
        package var id: Int64
        /// The message, which replaces the one that was reported before under that number.
        package var message: WireMessage
        /// The strategy: the media by which it is found, and the duration.
        package var strategy: WireStrategy
    }

    /// A subscription as JSON. It omits bytes by sound and beacons, which need no report.
    package struct Subscribed: Codable, Sendable, Hashable {
        /// The device's own number for it, greater than 0.
        package var id: Int64
        /// The rules of the filter, which wants whatever any of them matches; 1 to 100.
        package var filter: [WireRule]
        /// The strategy: the media by which devices are found, and the duration.
        package var strategy: WireStrategy
    }

    /// `TokenObservation` as JSON.
    package struct Observation: Codable, Sendable, Hashable {
        /// The token that was heard: 11 characters of base64url.
        package var token: String
        /// The medium on which the token was heard: `audio` or `ble`.
        package var medium: String
        /// The time from the last hearing to the report, in milliseconds.
        package var ageMillis: Int64
        /// The signal-to-noise ratio in the band of the transmission, or `nil` if the medium does not report
        /// it.
        package var snrDecibels: Double?
        /// The received signal strength, or `nil` if the medium does not report it.
        package var rssiDBm: Int?
    }

    /// `PlayingToken` as JSON.
    package struct Playing: Codable, Sendable, Hashable {
        /// The token, which was granted to this device: 11 characters of base64url.
        package var token: String
        /// The medium on which the token is sent: `audio` or `ble`.
        package var medium: String
        /// The approximate time from one frame to the next, in milliseconds; 0 to 600 000.
        package var periodMillis: Int64
    }

    /// The publications that are new or changed, or all of them if ``isComplete``; `nil` if there are none.
    package var publish: [Published]?
    /// The subscriptions that are new or to be notified again, or all of them if ``isComplete``; `nil` if
    /// there are none.
    package var subscribe: [Subscribed]?
    /// The numbers of publications and subscriptions that have ended, or `nil` if there are none.
    package var end: [Int64]?
    /// The tokens that the device hears, the likeliest first, or `nil` if there are none. The server reads
    /// ``WireLimits/observations`` of them.
    package var observations: [Observation]?
    /// True if ``observations`` are all that the device hears: what they leave out has ended. Such a device
    /// reports only changes, and as often as ``WireAnswer/keepAliveMillis`` asks. `nil` means false: the
    /// observations are those since the report before, and there is a report at least every 5 s.
    package var observationsAreComplete: Bool?
    /// The tokens that the device broadcasts now, or `nil` if there are none.
    package var playing: [Playing]?
    /// The media for which the device requests a token, `audio` or `ble`; `nil` if there are none.
    package var wantsTokens: [String]?
    /// True if the device keeps tokens for later (``WireAnswer/Grant/startsInMillis``). `nil` means false: it
    /// takes one at a time.
    package var takesTokensAhead: Bool?
    /// The mailbox that ``takenNews`` counts: ``WireAnswer/mailbox``.
    package var mailbox: String?
    /// The number of the last delivery that was taken. The server does not send it and the ones before it
    /// again.
    package var takenNews: Int64?
    /// The number of this device's report, greater than that of the report before. A report that arrives
    /// after one with a greater number is outdated.
    package var number: Int64?
    /// True if the report is complete: whatever it does not name has ended. `nil` means false.
    package var isComplete: Bool?
    /// True if the device leaves; its secret is no longer valid then. `nil` means false.
    package var isFarewell: Bool?

    /// Creates a report that says nothing.
    init() {}

    /// Encodes a report, without sealed frames and publications of bytes by sound, which a server does not
    /// use.
    ///
    /// - Parameters:
    ///   - mailbox: the mailbox of the last delivery that was taken, or `nil` if there is none yet.
    ///   - takenNews: the number of that delivery.
    ///   - number: a number greater than that of the report before, or `nil` if reports are not numbered.
    package init(
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
                    // JSON cannot represent infinity.
                    snrDecibels: $0.signal.snrDecibels.flatMap { $0.isFinite ? Double($0) : nil },
                    rssiDBm: $0.signal.rssiDBm)
            }.nonEmpty
        observationsAreComplete = report.observationsAreComplete ? true : nil
        playing =
            report.playing.map {
                Playing(
                    token: $0.token.description, medium: $0.medium.rawValue,
                    periodMillis: $0.period.wireMillis)
            }.nonEmpty
        wantsTokens = report.wantsTokens.sorted().map(\.rawValue).nonEmpty
        takesTokensAhead = report.takesTokensAhead ? true : nil
        isComplete = report.isComplete ? true : nil
        isFarewell = report.unregisters ? true : nil
    }

    /// Decodes the report. Throws: an error that says what is wrong, and where.
    package func value() throws(WireError) -> Report {
        var report = Report()
        try WireReport.checkUnique((publish ?? []).map(\.id), "publish")
        try WireReport.checkUnique((subscribe ?? []).map(\.id), "subscribe")
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
        report.observationsAreComplete = observationsAreComplete ?? false
        for (n, one) in (playing ?? []).enumerated() {
            report.playing.append(try one.value("playing[\(n)]"))
        }
        for (n, name) in (wantsTokens ?? []).enumerated() {
            report.wantsTokens.insert(try Medium(wire: name, "wantsTokens[\(n)]"))
        }
        report.takesTokensAhead = takesTokensAhead ?? false
        report.isComplete = isComplete ?? false
        report.unregisters = isFarewell ?? false
        return report
    }

    /// Throws: ``WireError`` if an id occurs twice, because one of the two entries would be lost silently.
    private static func checkUnique(_ ids: [Int64], _ list: String) throws(WireError) {
        var places: [Int64: Int] = [:]
        for (n, id) in ids.enumerated() {
            if let first = places.updateValue(n, forKey: id) {
                throw WireError(
                    "\(list)[\(n)].id",
                    "expected an id of its own, came \(id), which \(list)[\(first)] has too")
            }
        }
    }
}

extension WireReport {
    /// Throws: `DecodingError`; ``WireError`` for a list that is longer than ``WireLimits`` says.
    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        publish = try body.decodeList(Published.self, .publish)
        subscribe = try body.decodeList(Subscribed.self, .subscribe)
        end = try body.decodeList(WireNumber.self, .end)?.map(\.value)
        observations = try body.decodePrefix(
            Observation.self, .observations, upTo: WireLimits.observations)
        observationsAreComplete = try body.decodeIfPresent(Bool.self, forKey: .observationsAreComplete)
        // There may have been more of them, which were not read.
        if observations?.count == WireLimits.observations { observationsAreComplete = nil }
        playing = try body.decodeList(Playing.self, .playing)
        wantsTokens = try body.decodeList(String.self, .wantsTokens)
        takesTokensAhead = try body.decodeIfPresent(Bool.self, forKey: .takesTokensAhead)
        mailbox = try body.decodeIfPresent(String.self, forKey: .mailbox)
        takenNews = try body.decodeNumberIfPresent(Int64.self, .takenNews)
        number = try body.decodeNumberIfPresent(Int64.self, .number)
        isComplete = try body.decodeIfPresent(Bool.self, forKey: .isComplete)
        isFarewell = try body.decodeIfPresent(Bool.self, forKey: .isFarewell)
    }
}

extension WireReport.Published {
    /// Throws: `DecodingError`; ``WireError`` for a number of another kind.
    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        id = try body.decodeNumber(Int64.self, .id)
        message = try body.decode(WireMessage.self, forKey: .message)
        strategy = try body.decode(WireStrategy.self, forKey: .strategy)
    }
}

extension WireReport.Subscribed {
    /// Throws: `DecodingError`; ``WireError`` for more rules than a filter may have.
    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        id = try body.decodeNumber(Int64.self, .id)
        filter = try body.decodeRequiredList(WireRule.self, .filter, upTo: MessageFilter.maximumRuleCount)
        strategy = try body.decode(WireStrategy.self, forKey: .strategy)
    }

    init(_ id: OperationID, _ subscription: Subscription) {
        self.id = id.wire
        filter = subscription.filter.rules.compactMap { WireRule($0) }
        strategy = WireStrategy(subscription.strategy)
    }

    func value(_ place: String) throws(WireError) -> (OperationID, Subscription) {
        guard (1...MessageFilter.maximumRuleCount).contains(filter.count) else {
            throw WireError(
                "\(place).filter", "1 to \(MessageFilter.maximumRuleCount) rules, not \(filter.count)")
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
    /// Throws: `DecodingError`; ``WireError`` for a number of another kind.
    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        token = try body.decode(String.self, forKey: .token)
        medium = try body.decode(String.self, forKey: .medium)
        ageMillis = try body.decodeNumber(Int64.self, .ageMillis)
        snrDecibels = try body.decodeNumberIfPresent(Double.self, .snrDecibels)
        rssiDBm = try body.decodeNumberIfPresent(Int.self, .rssiDBm)
    }

    func value(_ place: @autoclosure () -> String) throws(WireError) -> TokenObservation {
        TokenObservation(
            try Token(wire: token, "\(place()).token"), on: try Medium(wire: medium, "\(place()).medium"),
            age: .milliseconds(ageMillis),
            signal: .init(snrDecibels: snrDecibels.map { Float($0) }, rssiDBm: rssiDBm))
    }
}

extension WireReport.Playing {
    /// Throws: `DecodingError`; ``WireError`` for a number of another kind.
    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        token = try body.decode(String.self, forKey: .token)
        medium = try body.decode(String.self, forKey: .medium)
        periodMillis = try body.decodeNumber(Int64.self, .periodMillis)
    }

    func value(_ place: @autoclosure () -> String) throws(WireError) -> PlayingToken {
        guard (0...600_000).contains(periodMillis) else {
            throw WireError("\(place()).periodMillis", "0 to 600000, not \(periodMillis)")
        }
        return PlayingToken(
            try Token(wire: token, "\(place()).token"), on: try Medium(wire: medium, "\(place()).medium"),
            period: .milliseconds(periodMillis))
    }
}

/// A whole number in a list.
private struct WireNumber: Decodable {
    var value: Int64

    init(from decoder: any Decoder) throws {
        let body = try decoder.singleValueContainer()
        do {
            value = try body.decode(Int64.self)
        } catch DecodingError.typeMismatch(let type, let context) {
            throw DecodingError.typeMismatch(type, context)
        } catch {
            throw WireError(WireError.place(decoder.codingPath), "expected a whole number")
        }
    }
}

extension Array {
    /// The array, or `nil` if it is empty, so that the body omits it.
    var nonEmpty: [Element]? { isEmpty ? nil : self }
}
