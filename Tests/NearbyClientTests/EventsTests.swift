import Nearby
import NearbyClient
import NearbyTestSupport
import NearbyWire
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventsTests {
    private let scenario = Scenario()

    private func makeClient(
        _ server: ScriptedServer, settings: NearbyClientSettings = .quick
    ) throws -> NearbyClient {
        try NearbyClient(
            server: server.url, apiKey: "key-1", settings: settings, random: SystemRandomNumberGenerator())
    }

    @Test func eventsComeAtOnceAndInStep() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        var (feeds, told) = (scenario.feeds.makeAsyncIterator(), client.events().makeAsyncIterator())
        _ = try await client.report(.complete)
        let feed = try #require(await feeds.next())
        #expect(feed.authorization == "Bearer secret-1")
        let begun = ContinuousClock.now
        feed.send(try events(1...1))
        #expect(await told.nextNumbers() == [1])
        #expect(begun.duration(to: .now) < .bound(.seconds(1)))
        feed.texts.yield(": comment\n\n")
        feed.send(try events(1...2))
        #expect(await told.nextNumbers() == [2])
        // A gap, another mailbox and an invalid answer are ignored. The next complete answer is taken.
        feed.send(try events(4...4))
        feed.send(try events(3...3, "other"))
        feed.texts.yield("data: {\n\n")
        feed.send(try events(2...4))
        #expect(await told.nextNumbers() == [3, 4])
        scenario.report(.answer(try events(3...5)))
        _ = try await client.report(Report())
        #expect(await told.nextNumbers() == [5])
        for await request in scenario.seen where request.report.takenNews == 4 { break }
    }

    @Test func aServerThatWasKilledIsFollowedAgain() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        var (feeds, told) = (scenario.feeds.makeAsyncIterator(), client.events().makeAsyncIterator())
        _ = try await client.report(.complete)
        _ = await feeds.next()
        await server.stop()
        // The second server has a scenario of its own, because the client may have come back to the first one
        // while that was ending.
        let second = Scenario()
        let back = try await second.makeServer(port: server.port)
        var later = second.feeds.makeAsyncIterator()
        let feed = try #require(await later.next())
        feed.send(try events(1...1))
        #expect(await told.nextNumbers() == [1])
        await back.stop()
    }

    @Test func aSilentStreamIsDeadCommentsKeepItAlive() async throws {
        let server = try await scenario.makeServer()
        var settings = NearbyClientSettings.quick
        settings.silence = .seconds(3)
        let client = try makeClient(server, settings: settings)
        var feeds = scenario.feeds.makeAsyncIterator()
        _ = try await client.report(.complete)
        let first = try #require(await feeds.next())
        for _ in 0..<40 {
            first.texts.yield(": still there\n\n")
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(scenario.count("/v1/events") == 1)
        let last = ContinuousClock.now
        _ = await feeds.next()
        #expect(last.duration(to: .now) >= .seconds(2))
        _ = first
    }

    /// The answer to a report may be granted to a device whose stream is open, and come after the stream
    /// broke or before its first event: the device then reports as often as one without a stream.
    @Test func anAnswerThatCountsOnABrokenStreamDoesNotSilenceTheDevice() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        var (feeds, told) = (scenario.feeds.makeAsyncIterator(), client.events().makeAsyncIterator())
        var answer = WireAnswer(Answer())
        answer.keepAliveMillis = 43_200_000
        let (byStream, without) = (
            Duration.seconds(43_200), NearbyClientSettings.quick.keepAliveWithoutEvents
        )
        scenario.report(.answer(answer), .answer(answer), .answer(answer))
        #expect(try await client.report(.complete).keepAlive == without)
        let feed = try #require(await feeds.next())
        feed.send(answer)
        #expect(await told.next()?.keepAlive == byStream)
        #expect(try await client.report(Report()).keepAlive == byStream)
        feed.texts.finish()
        #expect(await told.next()?.keepAlive == without)
        #expect(try await client.report(Report()).keepAlive == without)
    }

    @Test(arguments: [401, 409])
    func aRefusedStreamWaitsForAReport(status: Int) async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        var (feeds, seen) = (scenario.feeds.makeAsyncIterator(), scenario.seen.makeAsyncIterator())
        scenario.answer("/v1/events", .refusal(status))
        _ = try await client.report(.complete)
        while await seen.next()?.path != "/v1/events" {}
        // Reports go on until one of them opens the stream again, because the client may not have seen the
        // refusal yet.
        let reports = Task { while !Task.isCancelled { _ = try await client.report(Report()) } }
        let feed = try #require(await feeds.next())
        reports.cancel()
        _ = await reports.result
        #expect(feed.authorization == "Bearer secret-1")
    }

    /// The client does not retry by itself, as it does after a failure. Only reports bring the stream back.
    @Test func aRefusedStreamIsNotTriedAgain() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        scenario.answer("/v1/events", .refusal(401))
        _ = try await client.report(.complete)
        var seen = scenario.seen.makeAsyncIterator()
        while await seen.next()?.path != "/v1/events" {}
        // An event that does not come cannot be awaited. The test waits ten times as long as the longest
        // pause.
        try await Task.sleep(for: .seconds(1))
        #expect(scenario.count("/v1/events") == 1)
    }

    @Test func aNewDeviceHasAStreamOfItsOwn() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        var (feeds, told) = (scenario.feeds.makeAsyncIterator(), client.events().makeAsyncIterator())
        _ = try await client.report(.complete)
        let old = try #require(await feeds.next())
        scenario.report(.refusal(401))
        await #expect(throws: RegistryError.unknownDevice) { try await client.report(Report()) }
        _ = try await client.report(.complete)
        let new = try #require(await feeds.next())
        #expect(new.authorization == "Bearer secret-2")
        old.send(try events(1...7))
        new.send(try events(1...1))
        #expect(await told.nextNumbers() == [1])
    }

    @Test func aServerWithoutEventsIsPolled() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        scenario.answer("/v1/events", .refusal(404))
        var told = client.events().makeAsyncIterator()
        _ = try await client.report(.complete)
        var seen = scenario.seen.makeAsyncIterator()
        while await seen.next()?.path != "/v1/events" {}
        for number: Int64 in 1...20 {
            scenario.report(.answer(try events(number...number)))
            _ = try await client.report(Report())
            #expect(await told.nextNumbers() == [UInt64(number)])
        }
        #expect(scenario.count("/v1/events") == 1)
    }

    @Test func anEventHasALimit() async throws {
        let server = try await scenario.makeServer()
        var settings = NearbyClientSettings.quick
        settings.bodyLimit = 1000
        let client = try makeClient(server, settings: settings)
        var (feeds, told) = (scenario.feeds.makeAsyncIterator(), client.events().makeAsyncIterator())
        _ = try await client.report(.complete)
        let long = try #require(await feeds.next())
        long.texts.yield("data: " + String(repeating: "x", count: 1000))
        let next = try #require(await feeds.next())
        next.send(try events(1...1))
        #expect(await told.nextNumbers() == [1])
    }

    @Test func anUnregistrationEndsTheStream() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        var feeds = scenario.feeds.makeAsyncIterator()
        _ = try await client.report(.complete)
        let feed = try #require(await feeds.next())
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        feed.texts.onTermination = { _ in continuation.finish() }
        _ = try await client.report(.unregistration)
        // A server notices a closed stream when it writes.
        let comments = Task {
            while !Task.isCancelled {
                feed.texts.yield(": comment\n\n")
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        for await _ in ended {}
        comments.cancel()
    }

    @Test func aClientThatIsLetGoIsGone() async throws {
        let server = try await scenario.makeServer()
        var client: NearbyClient? = try makeClient(server)
        weak let dropped = client
        var feeds = scenario.feeds.makeAsyncIterator()
        let told = try #require(client).events()
        _ = try await client?.report(.complete)
        _ = await feeds.next()
        client = nil
        #expect(dropped == nil)
        for await _ in told {}
    }

    @Test func aClientThatIsShutDownSaysSo() async throws {
        let server = try await scenario.makeServer()
        let client = try makeClient(server)
        var feeds = scenario.feeds.makeAsyncIterator()
        _ = try await client.report(.complete)
        _ = await feeds.next()
        await client.shutdown()
        for await _ in client.events() {}
        await #expect(throws: RegistryError.unreachable("the client is shut down")) {
            try await client.report(.complete)
        }
        await client.shutdown()
    }
}
