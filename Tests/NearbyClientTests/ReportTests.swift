import Nearby
import NearbyClient
import NearbyTestSupport
import NearbyWire
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReportTests {
    private let scenario = Scenario()

    private func makeClient(
        _ server: ScriptedServer, settings: NearbyClientSettings = .polling
    ) throws -> NearbyClient {
        try NearbyClient(server: server.url + "/", apiKey: "key-1", settings: settings)
    }

    @Test func registersOnceWithTheFirstReport() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        var granted = Answer()
        granted.grants = [.init(Token(bits: 7), on: .audio, timeToLive: .seconds(600))]
        var report = Report.complete
        report.observations = [TokenObservation(Token(bits: 8), on: .ble, age: .zero)]
        granted.verdicts = [report.observations[0].heard: .valid]
        scenario.report(
            .answer(WireAnswer(granted, to: report.observations, mailbox: "m", news: 0)))
        #expect(try await client.report(report) == granted)
        _ = try await client.report(Report())
        var seen = scenario.seen.makeAsyncIterator()
        let requests = [await seen.next(), await seen.next(), await seen.next()]
        #expect(requests.map(\.?.path) == ["/v1/devices", "/v1/report", "/v1/report"])
        #expect(requests.map(\.?.method) == ["POST", "POST", "POST"])
        #expect(requests.map(\.?.authorization) == ["Bearer key-1", "Bearer secret-1", "Bearer secret-1"])
        #expect(requests[1]?.report == WireReport(report, number: 1))
        #expect(requests[2]?.report == WireReport(Report(), mailbox: "m", takenNews: 0, number: 2))
    }

    @Test(arguments: [
        (Scenario.Reply.refusal(401), RegistryError.unknownDevice), (.refusal(409), .unknownDevice),
        (.refusal(400, "end[0]: wrong"), .refused("status 400: end[0]: wrong")),
        (.refusal(403, "project closed"), .refused("status 403: project closed")),
        (.refusal(413), .refused("status 413: no")),
        (
            .status(413), .unreachable("status 413, and not from a Nearby server: is the address right?")
        ),
        (.refusal(429, headers: [("Retry-After", "17")]), .rateLimited(retryAfter: .seconds(17))),
        (.refusal(429), .rateLimited(retryAfter: .seconds(5))),
        (
            .refusal(429, headers: [("Retry-After", "Fri, 01 Jan 2100")]),
            .rateLimited(retryAfter: .seconds(5))
        ),
        (
            .refusal(429, headers: [("Retry-After", "9223372036854775807")]),
            .rateLimited(retryAfter: .seconds(3600))
        ),
        (.refusal(503, "starting"), .unreachable("status 503: starting")),
        (.status(502, body: "<html>\n"), .unreachable("status 502, from a proxy or another kind of server")),
        (
            .status(302, headers: [("Location", "/v1/devices")]),
            .unreachable("status 302: it redirects to /v1/devices; give that address")
        ),
        (.refusal(500, #"secret-1 and\nkey-1"#), .unreachable("status 500: … and")),
        (
            .status(200, body: "[]"),
            .unreachable("no answer of a Nearby server: expected an object, came an array")
        ),
        (
            .status(200, body: #"{"valid":["x"]}"#),
            .unreachable("no answer of a Nearby server: valid[0]: 11 characters of base64url, not 'x'")
        ),
    ])
    func whatAReportIsToldMeans(reply: Scenario.Reply, error: RegistryError) async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        scenario.report(reply)
        await #expect(throws: error) { try await client.report(.complete) }
        // The refusal leaves nothing behind.
        _ = try await client.report(.complete)
    }

    @Test(arguments: [
        (
            Scenario.Reply.refusal(401, "no such key"),
            RegistryError.refused(
                "the server does not know this API key (status 401): it is wrong, revoked or another server's; 'nearby keys list' there tells which are valid, 'nearby keys create' makes one"
            )
        ),
        (.refusal(403), .refused("status 403: no")),
        (.refusal(429, headers: [("Retry-After", "2")]), .rateLimited(retryAfter: .seconds(2))),
        (.refusal(500, "key-1"), .unreachable("status 500: …")),
        (
            .status(201, body: "{}"),
            .unreachable("no answer of a Nearby server ('device' is missing): is the address right?")
        ),
        (
            .status(200, body: "<html>"),
            .unreachable(
                "no answer of a Nearby server (expected a value, came '<': no valid JSON at byte 1): is the address right?"
            )
        ),
        (.secret(""), .unreachable("no answer of a Nearby server: a registration without a secret")),
    ])
    func whatARegistrationIsToldMeans(reply: Scenario.Reply, error: RegistryError) async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        scenario.answer("/v1/devices", reply)
        await #expect(throws: error) { try await client.report(.complete) }
        _ = try await client.report(.complete)
    }

    /// A client sends as many observations as its server takes. The rest has no verdict, so that the engine
    /// names it again. A server that does not state its limit, as older ones do not, refuses more than 200.
    @Test(arguments: [nil, 2560, 0]) func sendsAsManyObservationsAsTheServerTakes(limit: Int?) async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        let field = limit.map { ",\"observationsPerReport\":\($0)" } ?? ""
        scenario.answer("/v1/devices", .status(201, body: "{\"device\":\"secret-1\"\(field)}"))
        var report = Report.complete
        report.observations = (0..<3000).map { TokenObservation(Token(bits: $0), on: .ble, age: .zero) }
        let sent = limit.map { max(1, $0) } ?? 200
        var answer = Answer()
        for one in report.observations.prefix(sent) { answer.verdicts[one.heard] = .invalid }
        scenario.report(
            .answer(WireAnswer(answer, to: report.observations, mailbox: "m", news: 0)))
        #expect(try await client.report(report).verdicts == answer.verdicts)
        var seen = scenario.seen.makeAsyncIterator()
        _ = await seen.next()
        #expect(await seen.next()?.report.observations?.count == sent)
    }

    @Test func aForgottenSecretIsReplacedAForgottenMailboxIsNot() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        scenario.report(
            .answer(try events(1...2)), .refusal(409), .answer(try events(1...1, "n")), .refusal(401))
        _ = try await client.report(.complete)
        await #expect(throws: RegistryError.unknownDevice) { try await client.report(Report()) }
        _ = try await client.report(.complete)
        await #expect(throws: RegistryError.unknownDevice) { try await client.report(Report()) }
        _ = try await client.report(.complete)
        var said: [String] = []
        for await request in scenario.seen {
            said.append("\(request.path) \(request.authorization ?? "") \(request.report.mailbox ?? "–")")
            if said.count == 7 { break }
        }
        #expect(
            said == [
                "/v1/devices Bearer key-1 –", "/v1/report Bearer secret-1 –", "/v1/report Bearer secret-1 m",
                "/v1/report Bearer secret-1 –", "/v1/report Bearer secret-1 n", "/v1/devices Bearer key-1 –",
                "/v1/report Bearer secret-2 –",
            ])
    }

    /// The server took the report and its answer was lost. It repeats the same events, and once more because
    /// it did not know yet.
    @Test func eventsToldAgainAreDropped() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        scenario.report(
            .cut, .answer(try events(1...2)), .cut, .answer(try events(1...2)), .answer(try events(2...3)))
        var iterator = client.events().makeAsyncIterator()
        let lost = await #expect(throws: RegistryError.self) { try await client.report(.complete) }
        guard case .unreachable = lost else { throw Unexpected() }
        #expect(try await client.report(.complete).deliveries.isEmpty)
        #expect(await iterator.nextNumbers() == [1, 2])
        await #expect(throws: RegistryError.self) { try await client.report(Report()) }
        _ = try await client.report(Report())
        _ = try await client.report(Report())
        // Repeated events would come first.
        #expect(await iterator.nextNumbers() == [3])
        _ = try await client.report(Report())
        var taken: [Int64?] = []
        for await request in scenario.seen where request.path == "/v1/report" {
            taken.append(request.report.takenNews)
            if taken.count == 6 { break }
        }
        #expect(taken == [nil, nil, 2, 2, 2, 3])
    }

    @Test func anAnswerThatLeavesEventsOutBeginsAnew() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        scenario.report(.answer(try events(1...1)), .answer(try events(3...3)), .answer(try events(3...4)))
        var iterator = client.events().makeAsyncIterator()
        _ = try await client.report(.complete)
        await #expect(throws: RegistryError.unknownDevice) { try await client.report(Report()) }
        _ = try await client.report(.complete)
        #expect(await iterator.nextNumbers() == [1])
        #expect(await iterator.nextNumbers() == [3, 4])
    }

    @Test func afterItUnregisteredTheSecretIsForgotten() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        #expect(try await client.report(.unregistration) == Answer())
        _ = try await client.report(.complete)
        _ = try await client.report(.unregistration)
        _ = try await client.report(.complete)
        var paths: [String?] = []
        for await request in scenario.seen {
            paths.append(request.authorization)
            if paths.count == 5 { break }
        }
        #expect(
            paths == [
                "Bearer key-1", "Bearer secret-1", "Bearer secret-1", "Bearer key-1", "Bearer secret-2",
            ])
    }

    @Test func anAnswerHasALimit() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        scenario.report(.bytes(17 << 20), .bytes(1 << 20))
        await #expect(throws: RegistryError.unreachable("an answer of more than 16777216 bytes")) {
            try await client.report(.complete)
        }
        let words = "no answer of a Nearby server: expected a value, came 'x': no valid JSON at byte 1"
        await #expect(throws: RegistryError.unreachable(words)) {
            try await client.report(.complete)
        }
    }

    @Test func aServerThatIsNotThere() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        _ = try await client.report(.complete)
        await server.stop()
        // The first report may use a connection that was still open.
        let first = await #expect(throws: RegistryError.self) { try await client.report(Report()) }
        guard case .unreachable = first else { throw Unexpected() }
        await #expect(
            throws: RegistryError.unreachable("connection refused: is it running, and is the port right?")
        ) {
            try await client.report(Report())
        }
        let back = try await scenario.makeServer(port: server.port)
        _ = try await client.report(Report())
        await back.stop()
    }

    @Test func aNameThatNobodyHas() async throws {
        let client = try NearbyClient(server: "http://nobody.invalid", apiKey: "key")
        await #expect(throws: RegistryError.unreachable("no such name")) {
            try await client.report(.complete)
        }
    }

    @Test func aServerThatSaysNothing() async throws {
        let server = try await scenario.makeServer()
        var settings = NearbyClientSettings.polling
        settings.answerTimeout = .seconds(2)
        let client = try makeClient(server, settings: settings)
        scenario.report(.silence)
        let begun = ContinuousClock.now
        await #expect(throws: RegistryError.unreachable("no answer for 2.0 seconds")) {
            try await client.report(.complete)
        }
        #expect(begun.duration(to: .now) < .bound(.seconds(8)))
        _ = try await client.report(.complete)
    }

    private struct Unexpected: Error {}
}
