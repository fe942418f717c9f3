import Foundation
import Nearby
import NearbyServerSupport
import NearbyWire
import Testing

/// Servers that are asked to end, while devices listen.
@Suite(.timeLimit(.minutes(1))) struct OrderlyEndTests {
    private var everything: WireReport {
        var report = Report()
        report.subscribed[OperationID(1)] = Subscription()
        report.isComplete = true
        return WireReport(report)
    }

    /// It neither waits for the other instance's next word nor leaves the device without the stream's end.
    @Test(arguments: [SIGTERM, SIGINT])
    func aStreamThatIsPassedOnHoldsNothingUp(signal: Int32) async throws {
        let database = try PostgresServer.shared.get().database()
        let owner = try Served(database)
        let other = try Served(database, isFirst: false)
        // The first request makes it the owner.
        let device = try await WireDevice(try #require(owner.key), at: owner.url)
        try await device.report(everything, at: owner.url)
        var events = try await device.events(at: other.url).makeAsyncIterator()
        // Its ring when it is opened has nothing to tell: it waits for the next.
        try await Task.sleep(for: .milliseconds(200))
        let start = ContinuousClock.now
        other.end(signal)
        #expect(start.duration(to: .now) < .seconds(1))
        #expect(other.process.terminationStatus == 0)
        #expect(try await events.next() == nil)
        owner.end(SIGTERM)
    }

    @Test func anOpenStreamHoldsNothingUp() async throws {
        let server = try Served(try PostgresServer.shared.get().database())
        let device = try await WireDevice(try #require(server.key), at: server.url)
        try await device.report(everything, at: server.url)
        var events = try await device.events(at: server.url).makeAsyncIterator()
        let start = ContinuousClock.now
        server.end(SIGTERM)
        #expect(start.duration(to: .now) < .seconds(1))
        while let event = try await events.next() { #expect(event.deliveries == nil) }
    }
}
