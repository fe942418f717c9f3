import Testing

@testable import NearbyClient

@Suite struct EventParserTests {
    private static func texts(_ stream: String, limit: Int = 1000) throws -> [String] {
        var parser = EventParser(limit: limit)
        return try parser.take(stream.utf8).map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test(arguments: [
        ("data: a\n\n", ["a"]), ("data: a\r\n\r\n", ["a"]), ("data: a\r\r", ["a"]), ("data:a\n\n", ["a"]),
        ("data:  a\n\n", [" a"]), ("data: a: b\n\n", ["a: b"]), ("\u{FEFF}data: a\n\n", ["a"]),
        ("data: a\n\ndata: \u{FEFF}b\n\n", ["a", "\u{FEFF}b"]), ("data: a\ndata: b\n\n", ["a\nb"]),
        ("data\n\n", [""]), ("data\ndata\n\n", ["\n"]), (": comment\n\ndata: a\n: in between\n\n", ["a"]),
        ("event: x\n\n", []), ("\n\n\r\n", []), ("data: unfinished\n", []),
        ("retry: 5\nfoo: x\ndata: a\n\n", ["a"]),
        ("data: ä\n\n", ["ä"]), (" data: a\n\n", []),
    ])
    func eventsAreWhatTheStandardSays(stream: String, events: [String]) throws {
        #expect(try Self.texts(stream) == events)
    }

    @Test func namesAndNumbersBelongToTheirEvent() throws {
        var parser = EventParser(limit: 100)
        let events = try parser.take(
            "id: 7\nevent: news\ndata: a\n\ndata: b\n\nid: 8\0\ndata: c\n\nid\ndata: d\n\n".utf8)
        #expect(events.map(\.type) == ["news", "", "", ""])
        #expect(events.map(\.id) == ["7", "7", "7", ""])
    }

    /// A stream may be cut anywhere, even between a carriage return and its line feed.
    @Test func itDoesNotMatterWhereAStreamIsCut() throws {
        let bytes = Array(
            "\u{FEFF}: x\r\ndata: ä\r\ndata: b\r\n\r\ndata: c\rdata: d\r\rid: 1\ndata: e\n\n".utf8)
        var whole = EventParser(limit: 100)
        let events = try whole.take(bytes)
        #expect(events.count == 3)
        for first in bytes.indices {
            for second in first..<bytes.count {
                var parser = EventParser(limit: 100)
                var cut = try parser.take(bytes[..<first])
                cut += try parser.take(bytes[first..<second])
                cut += try parser.take(bytes[second...])
                #expect(cut == events)
            }
        }
    }

    @Test func linesAndEventsHaveALimit() throws {
        #expect(try Self.texts("data: 1234\n\n", limit: 10) == ["1234"])
        #expect(throws: EventParser.TooLong.self) { try Self.texts("data: 12345\n\n", limit: 10) }
        #expect(throws: EventParser.TooLong.self) { try Self.texts(": 2345678901", limit: 10) }
        #expect(throws: EventParser.TooLong.self) {
            try Self.texts("data:1234\ndata:5678\ndata:9\n\n", limit: 10)
        }
    }
}
