import Nearby
import NearbyClient
import NearbyTestSupport
import Testing

/// Tests of two engines on one medium, whose registry is a server.
@Suite(.timeLimit(.minutes(1))) struct TwoEnginesTests {
    private let air = Air()

    private func makeServer(port: Int = 0) async throws -> ScriptedServer {
        let registry = RegistryServer()
        return try await ScriptedServer(port: port) { await registry.reply(to: $0) }
    }

    private func makeEngine(
        _ server: ScriptedServer, heartbeat: Duration, settings: NearbyClientSettings = .quick
    ) throws -> NearbyEngine {
        var engine = EngineSettings()
        engine.heartbeat = heartbeat
        engine.retry = .milliseconds(20)...(.milliseconds(100))
        return NearbyEngine(
            media: [air.driver(.audio)],
            registry: try NearbyClient(server: server.url, apiKey: "key", settings: settings),
            settings: engine)
    }

    /// With heartbeats once an hour, only events can report changes.
    @Test(arguments: [(Duration.seconds(3600), true), (.milliseconds(20), false), (.milliseconds(20), true)])
    func foundUpdatedAndLost(heartbeat: Duration, followsEvents: Bool) async throws {
        let server = try await makeServer()
        var settings = NearbyClientSettings.quick
        settings.followsEvents = followsEvents
        let (anna, ben) = (
            try makeEngine(server, heartbeat: heartbeat, settings: settings),
            try makeEngine(server, heartbeat: heartbeat, settings: settings)
        )
        var events = try await ben.subscribe().makeAsyncIterator()
        let publication = try await anna.publish(Message("Anna"))
        guard case .found(let found) = await events.next() else { throw Missing() }
        #expect(found.message.text == "Anna")
        try await publication.update(Message("Anna B."))
        guard case .updated(let updated) = await events.next() else { throw Missing() }
        #expect(updated.message.text == "Anna B." && updated.id == found.id)
        await publication.end()
        #expect(await events.next() == .lost(updated))
        let again = try await anna.publish(Message("C"))
        guard case .found(let other) = await events.next() else { throw Missing() }
        await anna.end()
        #expect(await events.next() == .lost(other))
        _ = (publication, again)
    }

    /// A server that has lost everything receives everything again. Publications that were found are found
    /// under new names.
    @Test func aServerThatHasForgottenAll() async throws {
        let server = try await makeServer()
        let (anna, ben) = (
            try makeEngine(server, heartbeat: .milliseconds(20)),
            try makeEngine(server, heartbeat: .milliseconds(20))
        )
        var events = try await ben.subscribe().makeAsyncIterator()
        let first = try await anna.publish(Message("first"))
        guard case .found(let found) = await events.next() else { throw Missing() }
        await server.stop()
        let second = try await anna.publish(Message("second"))
        let back = try await makeServer(port: server.port)
        // The names are new, and so is each find; both are found with the second server.
        var texts: Set<String> = []
        while texts.count < 2 {
            guard case .found(let one) = await events.next() else { continue }
            #expect(one.id != found.id)
            texts.insert(one.message.text)
        }
        #expect(texts == ["first", "second"])
        await anna.end()
        await ben.end()
        await back.stop()
        _ = (first, second)
    }

    private struct Missing: Error {}
}
