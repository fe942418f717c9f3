import Foundation
import Nearby
import NearbyWire
import Testing

/// Tests of bodies from clients that write JSON and base64 differently, and of invalid ones.
@Suite struct DecodingTests {
    private func content(_ text: String) throws -> Data {
        let body =
            #"{"publish":[{"id":1,"message":{"content":"\#(text)"},"strategy":{"media":["ble"],"mode":["scan"]}}]}"#
        return try WireCoding.decode(WireReport.self, from: Data(body.utf8)).publish![0].message.content
    }

    /// Base64 is accepted in either alphabet, padded or not, with white space or without. The server sends
    /// the standard form.
    @Test(arguments: [
        "+/+/+w==", "-_-_-w==", "-_-_-w", "+/+/+w", "+/-_+w==", "+/+/\\n+w==\\n", " +/+ /+w",
    ])
    func base64IsTakenAsPeopleWriteIt(text: String) throws {
        let content = try content(text)
        #expect(content == Data([0xFB, 0xFF, 0xBF, 0xFB]))
        #expect(String(decoding: WireCoding.encode(["x": content]), as: UTF8.self) == #"{"x":"+/+/+w=="}"#)
    }

    @Test(arguments: ["A", "AAAAA", "AA=", "AA===", "A===", "=", "AA==AA", "AÄAA", "A*AA", "AA=A"])
    func whatIsNoBase64IsRefused(text: String) {
        #expect(throws: WireError.self) { try content(text) }
    }

    @Test func everyBase64FieldIsLenient() throws {
        let query = try WireCoding.decode(
            WireBeaconQuery.self,
            from: Data(
                #"{"observations":[{"advertisedId":{"type":"EDDYSTONE_EID","id":"-_-_-_-_-_8"}}]}"#.utf8))
        #expect(try query.value().observed.first?.bytes.first == 0xFB)
        let attachment = try WireCoding.decode(
            WireAttachment.self, from: Data(#"{"namespacedType":"a/b","data":"-_8"}"#.utf8))
        #expect(attachment.data == Data([0xFB, 0xFF]))
        let token = "-_-_-_-_-_8"
        for text in [token, "+/+/+/+/+/8", token + "="] {
            let body = #"{"observations":[{"token":"\#(text)","medium":"ble","ageMillis":0}]}"#
            let report = try WireCoding.decode(WireReport.self, from: Data(body.utf8)).value()
            #expect(report.observations.first?.token.description == token)
        }
    }

    @Test(arguments: [
        (#"{"number":1.5}"#, "number: expected a whole number, came 1.5"),
        (#"{"number":9223372036854775808}"#, "number: expected a whole number, came 9.2"),
        (#"{"number":1e400}"#, "number: expected a whole number, came one that no computer holds"),
        (#"{"number":true}"#, "number: expected a whole number, came true or false"),
        (#"{"end":[1,2.5]}"#, "end[1]: expected a whole number"), (#"{"end":[null]}"#, "end[0]: expected"),
        (#"{"publish":[{"id":"1"}]}"#, "publish[0].id: expected a whole number, came a string"),
        (#"{"publish":[{"id":1.5}]}"#, "publish[0].id: expected a whole number, came 1.5"),
        (#"{"publish":3}"#, "publish: expected an array, came a number"),
        (#"{"publish":[[]]}"#, "publish[0]: expected an object, came an array"),
        (#"{"isComplete":1}"#, "isComplete: expected true or false, came a number"),
        (#"{"mailbox":{}}"#, "mailbox: expected a string, came an object"),
        (
            #"{"observations":[{"token":"a","medium":"ble","ageMillis":0,"snrDecibels":1e999}]}"#,
            "observations[0].snrDecibels: expected a number, came one that no computer holds"
        ),
        (
            #"{"observations":[{"token":"a","medium":"ble","ageMillis":0,"rssiDBm":-1.5}]}"#,
            "observations[0].rssiDBm: expected a whole number, came -1.5"
        ),
        (
            #"{"playing":[{"token":"a","medium":"ble","periodMillis":0.5}]}"#,
            "playing[0].periodMillis: expected"
        ),
        (#"{"number":1,"number":2}"#, "number: is there twice in one object"),
        (#"{"number":1,"\u006eumber":2}"#, "number: is there twice in one object"),
        (#"{"publish":[{"message":{"type":"a","type":"b"}}]}"#, "publish[0].message.type: is there twice"),
        ("[]", "expected an object, came an array"), ("", "expected JSON, came nothing"),
        (" \n", "expected JSON, came nothing"), ("nul", "expected a value, came 'n'"),
        ("{\"a\":", "a: expected a value, came the end: no valid JSON at byte 6"),
        ("{} x", "expected nothing more, came 'x': no valid JSON at byte 4"),
        ("{\"a\":NaN}", "a: expected a value, came 'N'"),
        ("{\"a\":01}", "a: expected a number without zeros"),
        ("{\"a\":-}", "a: expected a digit"), ("{\"a\":1.}", "a: expected a digit"),
        ("{\"a\":1e}", "a: expected a digit"), ("{'a':1}", "expected a name in quotes, came '''"),
        ("{\"a\":1,}", "expected a name in quotes, came '}'"), ("[1,]", "[1]: expected a value, came ']'"),
        ("{\"a\" 1}", "a: expected ':', came '1'"), ("[1 2]", "expected ',' or ']', came '2'"),
        ("{\"a\":\"b\n\"}", "a: expected '\"' at the end of a string, came the byte 10"),
        ("{\"a\":\"\\x\"}", "a: expected a string of UTF-8"),
        ("{\"a\":\"\\ud800\"}", "a: expected a string of UTF-8"),
        ("\u{0}", "expected a value, came the byte 0"),
        (String(repeating: "[", count: 100_000), "more than 64 arrays and objects within each other"),
    ])
    func whatIsWrongHasAPlace(body: String, words: String) {
        let error = #expect(throws: WireError.self) {
            _ = try WireCoding.decode(WireReport.self, from: Data(body.utf8))
        }
        #expect(error?.description.hasPrefix(words) == true, "\(String(describing: error))")
    }

    /// Some editors write a byte order mark, which has no meaning (RFC 8259 §8.1).
    @Test func aByteOrderMarkIsPassedOver() throws {
        #expect(try WireCoding.decode(WireReport.self, from: Data("\u{FEFF}{\"number\":3}".utf8)).number == 3)
    }

    @Test func bytesThatAreNoTextAreRefused() {
        let body = Data(#"{"mailbox":""#.utf8) + [0xFF] + Data("\"}".utf8)
        #expect(
            throws: WireError(
                "mailbox",
                "expected a string of UTF-8 with escapes as JSON has them, came '\"': no valid JSON at byte 12"
            )
        ) {
            _ = try WireCoding.decode(WireReport.self, from: body)
        }
    }

    /// One of the two would be lost silently.
    @Test(arguments: [
        (
            #"{"publish":[\#(one),\#(other),\#(one)]}"#,
            "publish[2].id: expected an id of its own, came 1, which publish[0] has too"
        ),
        (
            #"{"subscribe":[{"id":7,"filter":[{}],"strategy":\#(scan)},{"id":7,"filter":[{}],"strategy":\#(scan)}]}"#,
            "subscribe[1].id: expected an id of its own, came 7, which subscribe[0] has too"
        ),
    ])
    func idsAreTheirOwn(body: String, line: String) throws {
        let report = try WireCoding.decode(WireReport.self, from: Data(body.utf8))
        let error = #expect(throws: WireError.self) { _ = try report.value() }
        #expect(error?.description == line)
    }

    private static let scan = #"{"media":["ble"],"mode":["scan"]}"#
    private static let one = #"{"id":1,"message":{"content":""},"strategy":\#(scan)}"#
    private static let other = #"{"id":2,"message":{"content":""},"strategy":\#(scan)}"#
}
