import NearbyServerSupport
import Testing

@testable import NearbyServer

/// Tests of requests by scripts of web pages, in the form in which browsers send them.
@Suite(.timeLimit(.minutes(1))) struct CrossOriginTests {
    private static let page = "https://app.example"

    private func world(_ origins: [String] = [page]) async throws -> HostileWorld {
        let allowed = try AllowedOrigins(origins)
        return try await HostileWorld(settings: { $0.allowedOrigins = allowed })
    }

    private func ask(_ world: HostileWorld, _ line: String, _ headers: [String], bearer: String? = nil)
        async throws -> String
    {
        let client = try world.connect()
        await client.send(line, bearer: bearer, headers + ["Connection: close"])
        return try await client.read()
    }

    @Test func aPageThatMayAsks() async throws {
        let world = try await world()
        let preflight = try await ask(
            world, "OPTIONS /v1/report",
            ["Origin: \(Self.page)", "Access-Control-Request-Method: POST"])
        for line in [
            "HTTP/1.1 204", "Access-Control-Allow-Origin: \(Self.page)\r\n",
            "Access-Control-Allow-Methods: GET, POST",
            "Access-Control-Allow-Headers: Authorization, Content-Type, Idempotency-Key, Last-Event-ID",
            "Access-Control-Max-Age: 7200", "Vary: Origin",
        ] { #expect(preflight.contains(line), "\(line): \(preflight)") }
        // Refusals have the header too; otherwise the page would not see them.
        let large = ["Origin: \(Self.page)", "Content-Length: 2097153"]
        for (line, headers, bearer, status) in [
            ("POST /v1/report", large, world.device.secret, "413"), ("POST /v1/report", large, "x", "401"),
            ("GET /nothing", ["Origin: \(Self.page)"], "x", "404"),
            ("POST /v1/devices", ["Origin: \(Self.page)"], world.key, "201"),
        ] {
            let answer = try await ask(world, line, headers, bearer: bearer)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
            #expect(answer.contains("Access-Control-Allow-Origin: \(Self.page)\r\n"), "\(answer)")
            #expect(answer.contains("Vary: Origin"), "\(answer)")
            #expect(answer.contains("Access-Control-Expose-Headers: Retry-After"), "\(answer)")
        }
        await world.instance.end()
    }

    @Test(arguments: ["https://other.example", "null", "http://app.example", "https://app.example:444"])
    func aPageThatMayNotAsks(origin: String) async throws {
        let world = try await world()
        for line in ["OPTIONS /v1/report", "POST /v1/devices"] {
            let answer = try await ask(
                world, line, ["Origin: \(origin)", "Access-Control-Request-Method: POST"], bearer: world.key)
            #expect(!answer.contains("Access-Control-") && answer.contains("Vary: Origin"), "\(answer)")
        }
        await world.instance.end()
    }

    @Test func nobodyMayUnlessAsked() async throws {
        let world = try await HostileWorld()
        let answer = try await ask(
            world, "OPTIONS /v1/report", ["Origin: x", "Access-Control-Request-Method: POST"])
        #expect(answer.hasPrefix("HTTP/1.1 204") && !answer.contains("Access-Control"), "\(answer)")
        await world.instance.end()
    }

    @Test func everyPageMay() async throws {
        let world = try await world(["*"])
        let answer = try await ask(world, "GET /nothing", ["Origin: null"])
        #expect(answer.contains("Access-Control-Allow-Origin: *\r\n"), "\(answer)")
        await world.instance.end()
    }

    @Test(arguments: [
        "", "app.example", "https://", "https://a/", "https://a/b", "https://a:99999", "https://a b", "null",
        "https://a?b", "https://u@a", "1s://a", "https://[::1",
    ])
    func noOriginIsAProblem(text: String) {
        #expect(throws: AllowedOrigins.Problem.self) { try AllowedOrigins([text]) }
    }

    @Test(arguments: [
        ("HTTPS://App.example:443", "https://app.example"), ("http://[::1]:8080", "http://[::1]:8080"),
        ("capacitor://localhost", "capacitor://localhost"), ("http://localhost:80", "http://localhost"),
    ])
    func originsAreAsBrowsersSayThem(text: String, origin: String) throws {
        #expect(try AllowedOrigins([text]).answer(to: origin) == origin)
        #expect(throws: AllowedOrigins.Problem.self) { try AllowedOrigins([text, "*"]) }
    }
}
