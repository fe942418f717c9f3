import Testing

@testable import NearbyWire

/// Tests of the lines that programs write to an engine's socket.
@Suite struct EngineRequestTests {
    private func request(_ line: String) throws -> EngineRequest { try EngineRequest(line: Array(line.utf8)) }

    @Test func requestsAreRead() throws {
        let publish = try request(#"{"operation":"é1","do":"publish","text":"in the hall","type":"place"}"#)
        #expect(publish.operation == "é1" && publish.action == .publish && publish.type == "place")
        #expect(publish.content == Array("in the hall".utf8) && publish.namespace.isEmpty)
        let update = try request(#"{"do":"update","content":"AP8=","operation":"1"}"#)
        #expect(update.action == .update && update.content == [0, 255])
        let subscribe = try request(#"{"operation":"2","do":"subscribe","types":["a","b"],"namespace":"n"}"#)
        #expect(subscribe.types == ["a", "b"] && subscribe.namespace == "n")
        #expect(try request(#"{"operation":"2","do":"end"}"#).action == .end)
        #expect(try request(#"{"operation":"1","do":"publish","text":""}"#).content.isEmpty)
    }

    /// Each refusal says what was expected and what came.
    @Test(arguments: [
        ("", "JSON"), ("nonsense", "JSON"), ("[]", "expected an object"), ("{}", "'operation' is missing"),
        (#"{"operation":"1"}"#, "'do' is missing"),
        (#"{"operation":1,"do":"end"}"#, "operation: expected a string"),
        (#"{"operation":"","do":"end"}"#, "expected 1 to 64 characters, came 0"),
        (#"{"operation":"1","do":"fly"}"#, "expected one of publish, update, subscribe, end, came 'fly'"),
        (#"{"operation":"1","do":"publish"}"#, "needs either 'text' or 'content'"),
        (
            #"{"operation":"1","do":"publish","text":"a","content":"YQ=="}"#,
            "needs either 'text' or 'content'"
        ),
        (#"{"operation":"1","do":"publish","content":"a"}"#, "expected base64, came 'a'"),
        (#"{"operation":"1","do":"subscribe","type":"place"}"#, "type: 'subscribe' has no such field"),
        (#"{"operation":"1","do":"subscribe","types":"place"}"#, "types: expected an array"),
        (#"{"operation":"1","do":"end","text":"x"}"#, "text: 'end' has no such field"),
    ])
    func whatIsNoRequest(line: String, words: String) {
        let error = #expect(throws: WireError.self) { try request(line) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("\n") == false)
    }

    @Test func longLinesAreRefused() {
        let line = [UInt8](repeating: 0x20, count: EngineRequest.mostLineBytes + 1)
        #expect(throws: WireError.self) { try EngineRequest(line: line) }
    }
}
