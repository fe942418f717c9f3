import Nearby
import NearbyServerSupport
import NearbyWire
import TestSupport
import Testing

/// Tests of streams whose clients leave.
@Suite(.timeLimit(.minutes(1))) struct StreamEndTests {
    /// Returns when the server counts so many open streams. The test's time limit bounds the wait.
    private func wait(for count: Int, _ world: HostileWorld) async throws {
        while try await streams(world) != [count] { await Task.yield() }
    }

    private func streams(_ world: HostileWorld) async throws -> [Int] {
        try await world.instance.metrics().split(separator: "\n").filter { $0.hasPrefix("nearby_streams{") }
            .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    }

    /// A client that closes its connection, or only its sending side, ends its stream at once, not with the
    /// next pulse.
    @Test(arguments: [true, false]) func aClientThatLeavesEndsItsStream(isHalf: Bool) async throws {
        let world = try await HostileWorld()
        var report = Report()
        report.isComplete = true
        report.subscribed[OperationID(1)] = Subscription(strategy: Strategy(media: [.ble]))
        try await world.device.report(WireReport(report), at: world.url)
        var client: RawConnection? = try world.connect()
        await client!.send("GET /v1/events", bearer: world.device.secret)
        _ = try await client!.read(until: ":\n\n")
        #expect(try await streams(world) == [1])
        let start = ContinuousClock.now
        if isHalf { client!.endSending() } else { client = nil }
        try await wait(for: 0, world)
        // The pulse comes every 30 s.
        #expect(start.duration(to: .now) < .bound(.seconds(7)))
        await world.instance.end()
    }
}
