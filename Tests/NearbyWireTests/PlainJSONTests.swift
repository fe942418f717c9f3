import FoundationEssentials
import Nearby
import NearbyWire
import Testing

/// The fast ways to read a report and to write an answer do what Foundation's coders do.
@Suite struct PlainJSONTests {
    private static let observation = #"{"token":"AAAAAAAAAAE","medium":"audio","ageMillis":200"#

    private static let bodies: [String] =
        [
            "{}", " { } ", "", "[]", "null", "{", "{}x", "\u{FEFF}{}", #"{"number":1}"#, #"{"number":1"#,
            #"{"number":1,"number":2}"#, #"{"number":null}"#, #"{"mailbox":null,"mailbox":"a"}"#,
            #"{"unknown":[{"a":1}],"number":3}"#, #"{"isComplete":true,"publish":[]}"#,
            #"{"mailbox":"a\u0062c"}"#, #"{"mailbox":"\u12"}"#, #"{"mail\u0062ox":"a"}"#, #"{"mailbox":"ä"}"#,
            #"{"mailbox":7}"#, "{\"mailbox\":\"a\tb\"}", #"{"mailbox":"a"#, #"{"mailbox":"a",}"#,
            #"{"wantsTokens":["audio","ble"],"takesTokensAhead":true}"#,
            #"{"wantsTokens":[]}"#, #"{"wantsTokens":["audio",]}"#,
            #"{"wantsTokens":[1]}"#, #"{"wantsTokens":"audio"}"#, "{\n\"number\" :\t5 ,\r\"takenNews\": 6}",
            #"{"observationsAreComplete":true}"#, #"{"observationsAreComplete":truer}"#,
            #"{"observationsAreComplete":1}"#, #"{"observations":[]}"#, #"{"observations":[{}]}"#,
            #"{"observations":[\#(observation)}]}"#, #"{"observations":[\#(observation)},\#(observation)}]}"#,
            #"{"observations":[\#(observation),"rssiDBm":-70,"snrDecibels":12.25}]}"#,
            #"{"observations":[\#(observation),"rssiDBm":-70.5}]}"#,
            #"{"observations":[\#(observation),"new":{}}]}"#,
            #"{"observations":[\#(observation),"token":"b"}]}"#,
            #"{"observations":[\#(observation)}],"observations":[]}"#, #"{"playing":[{"token":"a"}]}"#,
            #"{"playing":[{"token":"AAAAAAAAAAE","medium":"ble","periodMillis":1350}]}"#,
        ]
        + [
            "0", "-0", "1", "-1", "01", "-", "+1", "1.0", "1.", ".5", "1e2", "1E2", "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "1 2", "0x1", "1_0", "\"1\"", "true",
        ].map { "{\"takenNews\":\($0)}" }
        + [
            "0", "-0.0", "1.5", "1.", "1e2", "1.5e400", "00.5", "-.5", "Infinity", "0.1",
            "1\(String(repeating: "0", count: 400))",
        ]
        .map { "{\"observations\":[\(observation),\"snrDecibels\":\($0)}]}" }

    @Test(arguments: bodies) func reportsAreReadAsByTheDecoder(body: String) {
        let body = Data(body.utf8)
        let expected = Result { () throws(WireError) in try WireCoding.decode(WireReport.self, from: body) }
        #expect(Result { () throws(WireError) in try WireReport(json: Array(body)) } == expected)
    }

    @Test(arguments: [WireLimits.observations - 1, WireLimits.observations, WireLimits.observations + 1])
    func longListsAreReadAsByTheDecoder(count: Int) throws {
        let list = Array(repeating: "\(Self.observation)}", count: count).joined(separator: ",")
        let body = Data(#"{"observationsAreComplete":true,"observations":[\#(list)]}"#.utf8)
        let report = try WireReport(json: Array(body))
        #expect(try report == WireCoding.decode(WireReport.self, from: body))
        #expect((report.observationsAreComplete == true) == (count < WireLimits.observations))
    }

    @Test func reportsOfBrokenTextAreReadAsByTheDecoder() {
        let whole = Array(
            #"{"mailbox":"äb","number":12,"wantsTokens":["audio"],"observations":[\#(Self.observation)}]}"#
                .utf8)
        let bytes = Array("\0\t \"\\,:}]-.01et".utf8) + [0xFF]
        for (position, byte) in whole.indices.flatMap({ position in bytes.map { (position, $0) } }) {
            var bytes = whole
            bytes[position] = byte
            let body = Data(bytes)
            let expected = Result { () throws(WireError) in try WireCoding.decode(WireReport.self, from: body)
            }
            #expect(Result { () throws(WireError) in try WireReport(json: Array(body)) } == expected)
        }
    }

    @Test func answersAreWrittenAsByTheEncoder() throws {
        let odd = String(String.UnicodeScalarView((0..<0x250).compactMap { Unicode.Scalar($0) })) + "\"\\/𝄞"
        var answer = Answer()
        #expect(WireAnswer(answer).json == Array(WireCoding.encode(WireAnswer(answer))))
        #expect(WireRefusal(odd).json == Array(WireCoding.encode(WireRefusal(odd))))
        answer.grants = [
            .init(Token(bits: 7), on: .audio, timeToLive: .seconds(600)),
            .init(Token(bits: 8), on: .ble, startsIn: .seconds(3), timeToLive: .seconds(6)),
        ]
        answer.keepAlive = .seconds(60)
        answer.refused = [OperationID(3): odd, OperationID(4): ""]
        for (n, change) in [Answer.Change.found, .updated, .lost].enumerated() {
            let message = try Message(
                Array(0...UInt8(n)), type: n == 0 ? "" : "t\"\n", namespace: n == 1 ? "/ä" : "")
            answer.deliveries.append(
                .init(
                    change, Discovery(id: PublicationID(bits: UInt64(n)), message: message),
                    to: OperationID(2)))
        }
        let observations = [Token(bits: 1), Token(bits: 2)].map {
            TokenObservation($0, on: .audio, age: .zero)
        }
        answer.verdicts = [observations[0].heard: .valid, observations[1].heard: .invalid]
        answer.patience = [observations[0].heard: .milliseconds(13_500)]
        var wire = WireAnswer(answer, to: observations, mailbox: "m", news: .max)
        #expect(wire.json == Array(WireCoding.encode(wire)))
        (wire.retryWithinSeconds, wire.valid, wire.invalid) = (600, [], ["a", "b"])
        #expect(wire.json == Array(WireCoding.encode(wire)))
    }
}
