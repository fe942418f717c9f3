import NearbyServerSupport
import NearbyTestSupport
import NearbyWire
import Testing

@testable import NearbyServer

/// Tests of requests that HTTP allows and forbids, and of answers that keep a connection in step.
@Suite(.timeLimit(.minutes(1))) struct ProtocolTests {
    /// Each of these requests is answered with this status, and the connection closes.
    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400), ("GET /% HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET /#a HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET nothing HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n1", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\n1", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n1", 400),
        (
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400
        ),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nContent-Length: 1\r\n\r\n1", 417),
        ("CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", 501), ("BOGUS / HTTP/1.1\r\nHost: x\r\n\r\n", 501),
        ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505), ("GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n", 400),
        (
            "GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: 100_000) + "\r\n\r\n", 431
        ),
        ("GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "X: a\r\n", count: 1100) + "\r\n", 431),
    ])
    func whatIsNoRequestIsRefused(request: String, status: Int) async throws {
        let world = try await HostileWorld()
        let client = try world.connect()
        await client.send(request)
        let answer = try await client.read()
        #expect(answer.hasPrefix("HTTP/1.\(request.contains("HTTP/1.0") ? 0 : 1) \(status) "), "\(answer)")
        #expect(answer.lowercased().contains("connection: close"), "\(answer)")
        #expect(answer.contains("{\"error\":\""), "\(answer)")
        await world.instance.end()
    }

    /// Each of these forms of the target names the same route.
    @Test(arguments: [
        "/v1/events", "/v1/events/", "//v1/events", "/v1/%65vents", "/v1/events?a=%zz", "http://x/v1/events",
        "HTTPS://x:1/v1/events?q",
    ])
    func targetsAreOne(target: String) async throws {
        let world = try await HostileWorld()
        let client = try world.connect()
        await client.send("PUT \(target)", ["Content-Length: 0", "Connection: close"])
        let answer = try await client.read()
        #expect(answer.hasPrefix("HTTP/1.1 405") && answer.contains("Allow: GET, HEAD, OPTIONS"), "\(answer)")
        await world.instance.end()
    }

    @Test(arguments: ["/v1%2Fevents", "/v1/eventsx", "/", "http://x", "/v1/events%3F"])
    func otherTargetsAreNothing(target: String) async throws {
        let world = try await HostileWorld()
        let client = try world.connect()
        await client.send("GET \(target)", ["Connection: close"])
        #expect(try await client.read().hasPrefix("HTTP/1.1 404"))
        await world.instance.end()
    }

    /// Requests that are sent together are answered one after the other, also after answers that have no
    /// body.
    @Test func requestsInOnePacketAreAnswered() async throws {
        let world = try await HostileWorld()
        _ = try await world.device.report(WireReport(.init()), at: world.url)
        let client = try world.connect()
        let head = " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(world.device.secret)\r\n"
        await client.send(
            "HEAD /nothing\(head)\r\nHEAD /v1/report\(head)\r\nHEAD /v1/events\(head)\r\nOPTIONS /v1/report\(head)\r\n"
                + "POST /v1/report\(head)Content-Length: 2\r\n\r\n{}GET /last\(head)Connection: close\r\n\r\n"
        )
        let answer = try await client.read()
        let statuses = answer.matches(of: /HTTP\/1\.1 (\d+)/).map { $0.output.1 }
        #expect(statuses == ["404", "405", "200", "204", "200", "404"], "\(answer)")
        #expect(answer.matches(of: /"error"/).count == 1, "\(answer)")
        await world.instance.end()
    }

    /// A request that cannot be read is answered after those that can.
    @Test func garbageAfterARequest() async throws {
        let world = try await HostileWorld()
        let client = try world.connect()
        await client.send(
            "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n")
        let answer = try await client.read()
        #expect(
            answer.matches(of: /HTTP\/1\.1 (\d+)/).map { $0.output.1 } == ["404", "404", "501"], "\(answer)")
        await world.instance.end()
    }

    @Test func headOfTheStatusHasNoBody() async throws {
        let world = try await HostileWorld()
        let client = try RawConnection(world.instance.statusURL)
        await client.send("HEAD /healthz", [])
        await client.send("HEAD /nothing", [])
        await client.send("HEAD /metrics", ["Connection: close"])
        let answer = try await client.read()
        #expect(
            answer.matches(of: /HTTP\/1\.1 (\d+)/).map { $0.output.1 } == ["200", "404", "200"], "\(answer)")
        #expect(!answer.contains("{") && !answer.contains("# HELP"), "\(answer)")
        await world.instance.end()
    }

    @Test func theOldVersionGetsNoChunks() async throws {
        let world = try await HostileWorld()
        _ = try await world.device.report(WireReport(.init()), at: world.url)
        let client = try world.connect()
        await client.send("GET /nothing HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let first = try await client.read(until: "path\"}")
        #expect(first.hasPrefix("HTTP/1.0 404") && first.contains("Connection: keep-alive"), "\(first)")
        await client.send(
            "GET /v1/events HTTP/1.0\r\nConnection: keep-alive\r\nAuthorization: Bearer \(world.device.secret)\r\n\r\n"
        )
        let stream = try await client.read(until: ":\n\n")
        #expect(stream.hasPrefix("HTTP/1.0 200") && stream.contains("Connection: close"), "\(stream)")
        #expect(!stream.lowercased().contains("transfer-encoding"), "\(stream)")
        #expect(
            stream.hasSuffix("\r\n\r\nretry: 3000\n\ndata: {\"retryWithinSeconds\":2}\n\n:\n\n"), "\(stream)")
        let last = try world.connect()
        await last.send("GET /nothing HTTP/1.0\r\n\r\n")
        #expect(try await last.read().hasSuffix("path\"}"))
        await world.instance.end()
    }

    @Test(arguments: [
        ("Content-Type: text/plain", "Accept: application/json"),
        ("Content-Type: application/x-www-form-urlencoded", "Accept: application/json"),
        ("Content-Encoding: gzip", "Accept-Encoding: identity"),
    ])
    func otherContentIsRefused(header: String, advice: String) async throws {
        let world = try await HostileWorld()
        for path in ["/v1/report", "/v1/beacons:getforobserved"] {
            let client = try world.connect()
            let bearer = path == "/v1/report" ? world.device.secret : world.key
            await client.send(
                "POST \(path)", bearer: bearer, [header, "Content-Length: 2", "Connection: close"], body: "{}"
            )
            let answer = try await client.read()
            #expect(answer.hasPrefix("HTTP/1.1 415") && answer.contains(advice), "\(answer)")
        }
        await world.instance.end()
    }

    /// A request may have more than one blank after the scheme (RFC 9110 §11.4), and a list of codings that
    /// change nothing (§5.6.1).
    @Test(arguments: ["identity", "Identity , identity", "", ","])
    func codingsThatChangeNothing(codings: String) async throws {
        let world = try await HostileWorld()
        let client = try world.connect()
        await client.send(
            "POST /v1/report", bearer: "  \(world.device.secret)",
            ["Content-Encoding: \(codings)", "Content-Length: 2", "Connection: close"], body: "{}")
        let answer = try await client.read()
        #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
        await world.instance.end()
    }

    @Test(arguments: ["application/json", "Application/JSON; charset=utf-8", nil])
    func jsonIsTaken(type: String?) async throws {
        let world = try await HostileWorld()
        let client = try world.connect()
        await client.send(
            "POST /v1/report", bearer: world.device.secret,
            (type.map { ["Content-Type: \($0)"] } ?? []) + ["Content-Length: 2", "Connection: close"],
            body: "{}")
        #expect(try await client.read().hasPrefix("HTTP/1.1 200"))
        await world.instance.end()
    }
}
