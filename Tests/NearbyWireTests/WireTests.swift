import FoundationEssentials
import Nearby
import NearbyWire
import Testing

@Suite struct WireTests {
    private static func report() throws -> Report {
        var report = Report()
        report.published[OperationID(3)] = Publication(
            try Message([0, 255, 10], type: "näme", namespace: "shop"),
            strategy: Strategy(media: [.audio], mode: .scan, timeToLive: .seconds(300), reach: .earshot))
        report.published[OperationID(1)] = Publication(try Message(""))
        report.subscribed[OperationID(2)] = Subscription(
            MessageFilter([.namespace(""), .type("a", namespace: "shop")]),
            strategy: Strategy(mode: .broadcast))
        report.ended = [OperationID(9), OperationID(7)]
        report.observations = [
            TokenObservation(
                Token(bits: .max), on: .ble, age: .milliseconds(1234),
                signal: .init(snrDecibels: 3.5, rssiDBm: -70))
        ]
        report.playing = [PlayingToken(Token(bits: 1), on: .audio, period: .milliseconds(1350))]
        report.wantsTokens = [.audio, .ble]
        report.isComplete = true
        return report
    }

    @Test func reportsComeBackAsTheyWent() throws {
        let report = try Self.report()
        let body = WireCoding.encode(WireReport(report, takenNews: 12))
        let back = try WireCoding.decode(WireReport.self, from: body)
        #expect(try back.value() == report)
        #expect(back.takenNews == 12)
    }

    /// JSON has no infinity. Such a value is left out, and the rest arrives.
    @Test(arguments: [Float.infinity, -.infinity, .nan])
    func aRatioThatIsNoNumberIsLeftOut(snrDecibels: Float) throws {
        var report = Report()
        report.observations = [
            TokenObservation(
                Token(bits: 1), on: .audio, age: .zero, signal: .init(snrDecibels: snrDecibels, rssiDBm: -70))
        ]
        let back = try WireCoding.decode(WireReport.self, from: WireCoding.encode(WireReport(report))).value()
        #expect(back.observations.map(\.signal) == [.init(rssiDBm: -70)])
    }

    /// A sign of life is short, because there are thousands of them a second.
    @Test func emptyReportsAreEmptyBodies() throws {
        #expect(WireCoding.encode(WireReport(Report())) == Data("{}".utf8))
        #expect(try WireCoding.decode(WireReport.self, from: Data("{}".utf8)).value() == Report())
    }

    @Test func answersComeBackAsTheyWent() throws {
        var answer = Answer()
        answer.grants = [.init(Token(bits: 7), on: .audio, timeToLive: .seconds(600))]
        let observations = [Token(bits: 1), Token(bits: 2), Token(bits: 3)].map {
            TokenObservation($0, on: .audio, age: .zero)
        }
        for (one, verdict) in zip(observations, [.valid, .invalid, .notJudged] as [TokenVerdict]) {
            answer.verdicts[one.heard] = verdict
        }
        let discovery = Discovery(id: PublicationID(bits: 5), message: try Message("hello", type: "t"))
        answer.deliveries = [.init(.found, discovery, to: OperationID(4))]
        let body = WireCoding.encode(WireAnswer(answer, to: observations, news: 3))
        #expect(try WireCoding.decode(WireAnswer.self, from: body).value(to: observations) == answer)
    }

    /// A token that was named on two media is judged on each. Clients that know only tokens do not receive
    /// the verdict "invalid".
    @Test func verdictsAreByMedium() throws {
        let token = Token(bits: 9)
        let observations = Medium.allCases.map { TokenObservation(token, on: $0, age: .zero) }
        var answer = Answer()
        answer.verdicts = [observations[0].heard: .invalid, observations[1].heard: .valid]
        let wire = WireAnswer(answer, to: observations)
        #expect(wire.verdicts == ["invalid", "valid"])
        #expect(wire.valid == [token.description] && wire.invalid == nil)
        #expect(try wire.value(to: observations) == answer)
        answer.verdicts[observations[1].heard] = .notJudged
        #expect(WireAnswer(answer, to: observations).invalid == nil)
    }

    /// Observations that a server leaves out at the end of a list have no verdict.
    @Test func whatIsLeftOutHasNoVerdict() throws {
        let observations = (1...3).map { TokenObservation(Token(bits: $0), on: .ble, age: .zero) }
        var answer = Answer()
        for one in observations.prefix(2) { answer.verdicts[one.heard] = .valid }
        let wire = WireAnswer(answer, to: observations)
        #expect(wire.verdicts == ["valid", "valid"])
        #expect(try wire.value(to: observations).verdicts[observations[2].heard] == nil)
    }

    /// A server from before verdicts has two lists of tokens. Tokens that it did not judge are in neither of
    /// them.
    @Test func formerServersAreUnderstood() throws {
        let observations = (1...3).map { TokenObservation(Token(bits: $0), on: .ble, age: .zero) }
        let body = Data(
            #"{"valid":["\#(observations[0].token)"],"invalid":["\#(observations[1].token)"]}"#.utf8)
        let answer = try WireCoding.decode(WireAnswer.self, from: body).value(to: observations)
        #expect(
            observations.map { answer.verdicts[$0.heard] } == [.valid, .invalid, .notJudged])
    }

    /// Long lists are refused before their entries are read. Of observations, the first ones count.
    @Test func longListsAreNotRead() throws {
        let words = [
            "publish", "subscribe", "end", "playing", "wantsTokens",
        ]
        for word in words {
            // No list accepts such entries: the length is checked first.
            let body = Data(
                "{\"\(word)\":[\(Array(repeating: "{}", count: 201).joined(separator: ","))]}".utf8)
            #expect(throws: WireError(word, "at most 200, not 201")) {
                try WireCoding.decode(WireReport.self, from: body)
            }
        }
        let rules = Array(repeating: "{}", count: 101).joined(separator: ",")
        let body = Data(
            #"{"subscribe":[{"id":1,"filter":[\#(rules)],"strategy":{"media":[],"mode":[]}}]}"#.utf8)
        #expect(throws: WireError("subscribe[0].filter", "at most 100, not 101")) {
            try WireCoding.decode(WireReport.self, from: body)
        }
        var report = Report()
        for n in 0..<5000 {
            report.observations.append(TokenObservation(Token(bits: UInt64(n)), on: .ble, age: .zero))
        }
        let cut = try WireCoding.decode(WireReport.self, from: WireCoding.encode(WireReport(report)))
        #expect(try cut.value().observations == Array(report.observations.prefix(2560)))
    }

    @Test func recordsComeBackAsTheyWent() throws {
        let report = try Self.report()
        var record = DeviceRecord()
        for (id, publication) in report.published {
            guard case .message(let message) = publication.content else { continue }
            record.published[id] = .init(
                name: PublicationID(bits: id.number), message: message, strategy: publication.strategy)
        }
        record.subscribed = report.subscribed
        let body = WireCoding.encode(WireRecord(record))
        #expect(try WireCoding.decode(WireRecord.self, from: body).value() == record)
    }

    @Test(arguments: [
        (#"["#, "[0]: expected a value, came the end: no valid JSON at byte 2"),
        (#"{"end":["x"]}"#, "end[0]: expected a whole number, came a string"),
        (#"{"end":[0]}"#, "end[0]: a number over 0"),
        (#"{"publish":[{"id":1,"strategy":{"media":[],"mode":[]}}]}"#, "publish[0]: 'message' is missing"),
        (
            #"{"publish":[{"id":1,"message":{"content":"?"},"strategy":{"media":[],"mode":[]}}]}"#,
            "publish[0].message.content: expected base64, came '?'"
        ),
        (
            #"{"publish":[{"id":1,"message":{"content":""},"strategy":{"media":["tv"],"mode":[]}}]}"#,
            "publish[0].strategy.media: one of audio, ble, lan, not 'tv'"
        ),
        (
            #"{"publish":[{"id":1,"message":{"content":""},"strategy":{"media":["ble"],"mode":[]}}]}"#,
            "publish[0].strategy: a strategy broadcasts"
        ),
        (
            #"{"observations":[{"token":"AA","medium":"ble","ageMillis":0}]}"#,
            "observations[0].token: 11 char"
        ),
        (#"{"wantsTokens":["radio"]}"#, "wantsTokens[0]: one of audio, ble, lan"),
        // The fuzz target WireBodies found that a stranger's words broke the line, and could forge one of a
        // log.
        (
            #"{"wantsTokens":["a\n\u001b[2J\u2028"]}"#,
            "wantsTokens[0]: one of audio, ble, lan, not 'a\u{FFFD}\u{FFFD}[2J\u{FFFD}'"
        ),
        (
            #"{"publish":[{"id":1,"message":{"content":""},"strategy":{"media":["ble"],"mode":["sc\n"]}}]}"#,
            "publish[0].strategy.mode: broadcast or scan, not 'sc\u{FFFD}'"
        ),
    ])
    func whatIsWrongIsSaidInOneLine(body: String, words: String) {
        do {
            let report = try WireCoding.decode(WireReport.self, from: Data(body.utf8)).value()
            Issue.record("taken: \(report)")
        } catch {
            let line = error.description
            #expect(!line.contains("\n"))
            #expect(line.hasPrefix(words.hasPrefix(": ") ? String(words.dropFirst(2)) : words), "\(line)")
        }
    }

    @Test func tokensAreReadAsTheyAreWritten() {
        for bits: UInt64 in [0, 1, .max, 0x0123_4567_89AB_CDEF] {
            #expect(Token(Token(bits: bits).description)?.bits == bits)
        }
        // The last letter holds four bits: other letters would be another way to write a token.
        #expect(Token("AAAAAAAAAAB") == nil)
        #expect(Token("AAAAAAAAAA") == nil)
        #expect(Token("AAAAAAAAAA=") == nil)
    }
}
