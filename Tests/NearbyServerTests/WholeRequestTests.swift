import Nearby
import NearbyServerSupport
import NearbyTestSupport
import NearbyWire
import Testing

@testable import NearbyServer

/// Tests of requests that come with one read, which the server answers without Hummingbird's router.
@Suite(.timeLimit(.minutes(1))) struct WholeRequestTests {
    private static let body = #"{"subscribe":[],"publish":[],"end":[],"observations":[]}"#

    /// Returns a world whose device has sent a complete report, so that it may open a stream.
    private func worldWithAReport() async throws -> HostileWorld {
        let world = try await HostileWorld()
        var complete = Report()
        complete.isComplete = true
        try await world.device.report(WireReport(complete), at: world.url)
        return world
    }

    /// Sends a report and returns its answer.
    private func report(
        _ world: HostileWorld, _ bearer: String?, _ body: String, _ headers: [String] = [], inPieces: Bool
    ) async throws -> String {
        let client = try world.connect()
        var headers = headers + ["Content-Length: \(body.utf8.count)", "Connection: close"]
        guard inPieces else {
            await client.send("POST /v1/report", bearer: bearer, headers, body: body)
            return try await client.read()
        }
        // The server has read the head when it asks for the body, or refuses it.
        headers.append("Expect: 100-continue")
        await client.send("POST /v1/report", bearer: bearer, headers)
        let head = try await client.read(until: "\r\n\r\n")
        guard head.hasPrefix("HTTP/1.1 100 ") else { return try await head + client.read() }
        await client.send(body)
        return try await client.read()
    }

    /// Returns an answer without the words that differ from one request to the next.
    private func stable(_ answer: String) -> [String] {
        answer.split(separator: "\r\n").map { line in
            let name = line.prefix { $0 != ":" }
            return ["date", "retry-after"].contains(name.lowercased()) ? String(name) : String(line)
        }.sorted()
    }

    /// The same request has the same answer, whether it comes whole or in pieces.
    @Test(arguments: [
        (true, body, [], 200), (true, "{", [], 400), (true, #"{"observations":1}"#, [], 400),
        (true, body, ["Content-Type: text/plain"], 415), (true, body, ["Content-Encoding: gzip"], 415),
        (true, body, ["Origin: https://example.org"], 200), (false, body, [], 401),
    ])
    func theWayDoesNotMatter(isKnown: Bool, body: String, headers: [String], status: Int) async throws {
        let world = try await HostileWorld()
        let device = try await WireDevice(world.key, at: world.url)
        var complete = Report()
        complete.isComplete = true
        try await device.report(WireReport(complete), at: world.url)
        let bearer = isKnown ? device.secret : nil
        let whole = try await report(world, bearer, body, headers, inPieces: false)
        let pieces = try await report(world, bearer, body, headers, inPieces: true)
        #expect(whole.hasPrefix("HTTP/1.1 \(status) "), "\(whole)")
        #expect(stable(whole) == stable(pieces))
        await world.instance.end()
    }

    /// Requests sent ahead are answered in their order, whichever way each of them goes.
    @Test func theOrderStays() async throws {
        let world = try await worldWithAReport()
        let client = try world.connect()
        let head = "Host: localhost\r\nAuthorization: Bearer \(world.device.secret)\r\n"
        let report =
            "POST /v1/report HTTP/1.1\r\n\(head)Content-Length: \(WholeRequestTests.body.utf8.count)\r\n\r\n"
            + WholeRequestTests.body
        let nothing = "GET /nothing HTTP/1.1\r\n\(head)\r\n"
        let events = "GET /v1/events HTTP/1.1\r\n\(head)\r\n"
        await client.send(report + nothing + report + report + nothing + events)
        let text = try await client.read(until: "retry: ")
        let statuses = text.ranges(of: "HTTP/1.1 ").map { String(text[$0.upperBound...].prefix(3)) }
        #expect(statuses == ["200", "404", "200", "200", "404", "200"], "\(text)")
        await world.instance.end()
    }

    /// The connection of a stream takes the next request, however much of it comes ahead, and whether the
    /// rest comes during the stream or after it.
    @Test(arguments: [0, 3, 40], [false, true])
    func aStreamsConnectionTakesTheNextRequest(ahead: Int, isAfterEnd: Bool) async throws {
        let world = try await worldWithAReport()
        let head = "Host: localhost\r\nAuthorization: Bearer \(world.device.secret)\r\n\r\n"
        let (events, next) = ("GET /v1/events HTTP/1.1\r\n\(head)", "GET /nothing HTTP/1.1\r\n\(head)")
        let (first, second) = (try world.connect(), try world.connect())
        await first.send(events + next.prefix(ahead))
        _ = try await first.read(until: "retry: ")
        let rest = String(next.dropFirst(ahead))
        if !isAfterEnd { await first.send(rest) }
        // A device has one stream: this ends the other.
        await second.send(events)
        if isAfterEnd {
            let end = try await first.read(until: "0\r\n\r\n")
            #expect(!end.contains("HTTP/1.1"))
            await first.send(rest)
        }
        let answer = try await first.read(until: "\r\n\r\n{")
        #expect(answer.contains("HTTP/1.1 404 "), "\(answer)")
        await world.instance.end()
    }

    /// The rest of a body that a stream's request has is no request, though it looks like one.
    @Test func theRestOfAStreamsBodyIsNoRequest() async throws {
        let world = try await worldWithAReport()
        let head = "Host: localhost\r\nAuthorization: Bearer \(world.device.secret)\r\n"
        let rest = "GET /nothing HTTP/1.1\r\n\(head)\r\n"
        let (first, second) = (try world.connect(), try world.connect())
        await first.send(
            "GET /v1/events HTTP/1.1\r\n\(head)Content-Length: \(4 + rest.utf8.count)\r\n\r\n\r\n\r\n")
        _ = try await first.read(until: "retry: ")
        await first.send(rest + "GET /other HTTP/1.1\r\n\(head)Connection: close\r\n\r\n")
        await second.send("GET /v1/events HTTP/1.1\r\n\(head)\r\n")
        let answers = try await first.read()
        #expect(answers.ranges(of: "HTTP/1.1 404 ").count == 1, "\(answers)")
        #expect(answers.ranges(of: "HTTP/1.1 ").count == 1, "\(answers)")
        await world.instance.end()
    }

    /// A client that sends nothing more still gets the whole answer, and then the end.
    @Test func theAnswerComesAfterTheClientsEnd() async throws {
        let world = try await HostileWorld()
        for _ in 0..<20 {
            let client = try world.connect()
            await client.send(
                "POST /v1/report", bearer: world.device.secret,
                ["Content-Length: \(WholeRequestTests.body.utf8.count)"], body: WholeRequestTests.body)
            client.endSending()
            let answer = try await client.read()
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("}"), "\(answer)")
        }
        await world.instance.end()
    }

    @Test func datesAreThoseOfHTTP() {
        #expect(DateText.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(DateText.text(1_709_164_800) == "Thu, 29 Feb 2024 00:00:00 GMT")
    }
}
