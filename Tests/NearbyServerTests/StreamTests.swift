import Nearby
import NearbyServerSupport
import NearbyWire
import Testing

/// Tests of streams of events that break and are opened again.
@Suite(.timeLimit(.minutes(1))) struct StreamTests {
    private let strategy = Strategy(media: [.ble])

    /// Returns the stream's text up to this end.
    private func stream(_ world: HostileWorld, until end: String, _ headers: [String] = []) async throws
        -> String
    {
        let client = try world.connect()
        await client.send("GET /v1/events", bearer: world.device.secret, headers)
        return try await client.read(until: end)
    }

    /// Lets the world's device find another device's publication.
    private func find(_ world: HostileWorld, _ number: UInt64, in mailbox: String? = nil) async throws {
        let other = try await WireDevice(world.key, at: world.url)
        var report = Report()
        report.isComplete = true
        report.published[OperationID(number)] = Publication(try Message("m\(number)"), strategy: strategy)
        report.wantsTokens = [.ble]
        let token = try #require(
            try await other.report(WireReport(report), at: world.url).grants?.first?.token)
        var observed = Report()
        observed.observations = [TokenObservation(try #require(Token(token)), on: .ble, age: .zero)]
        // The device acknowledges nothing.
        let heard = WireReport(observed, mailbox: mailbox, takenNews: mailbox.map { _ in 0 })
        try await world.device.report(heard, at: world.url)
    }

    @Test func aStreamGoesOnWhereItWas() async throws {
        let world = try await HostileWorld()
        var report = Report()
        report.isComplete = true
        report.subscribed[OperationID(1)] = Subscription(strategy: strategy)
        try await world.device.report(WireReport(report), at: world.url)
        try await find(world, 1)
        let first = try await stream(world, until: "\"news\":1}\n\n")
        #expect(first.contains("X-Accel-Buffering: no\r\n") && first.contains("Cache-Control: no-store\r\n"))
        #expect(first.contains("retry: 3000\n\n"))
        let id = try #require(first.firstMatch(of: /id: (\S+)\n/)).output.1
        #expect(id.hasSuffix(".1"), "\(first)")

        // The stream has nothing new, and repeats nothing.
        let second = try await stream(world, until: ":\n\n", ["Last-Event-ID: \(id)"])
        #expect(!second.contains("deliveries"), "\(second)")
        try await find(world, 2, in: String(id.dropLast(2)))
        let third = try await stream(world, until: "\"news\":2}\n\n", ["Last-Event-ID: \(id)"])
        #expect(third.matches(of: /"change":"found"/).count == 1 && third.contains("\"news\":2"), "\(third)")

        // If the mailbox exists no more, the stream contains everything and the reason.
        for old in ["AAAAAAAAAAA.1", "1", ".", "x"] {
            let all = try await stream(world, until: "\"news\":2}\n\n", ["Last-Event-ID: \(old)"])
            #expect(all.contains(": Last-Event-ID is of another mailbox"), "\(all)")
            #expect(all.matches(of: /"change":"found"/).count == 2, "\(all)")
        }
        await world.instance.end()
    }

    /// A client that only asks for the head does not end another client's stream.
    @Test func headEndsNoStream() async throws {
        let world = try await HostileWorld()
        var report = Report()
        report.isComplete = true
        report.subscribed[OperationID(1)] = Subscription(strategy: strategy)
        try await world.device.report(WireReport(report), at: world.url)
        let listener = try world.connect()
        await listener.send("GET /v1/events", bearer: world.device.secret)
        _ = try await listener.read(until: ":\n\n")
        let looker = try world.connect()
        await looker.send("HEAD /v1/events", bearer: world.device.secret, ["Connection: close"])
        let head = try await looker.read()
        #expect(
            head.hasPrefix("HTTP/1.1 200") && !head.contains("Content-Length") && head.hasSuffix("\r\n\r\n"))
        try await find(world, 1)
        #expect(try await listener.read(until: "}\n\n").contains("found"))
        await world.instance.end()
    }
}
