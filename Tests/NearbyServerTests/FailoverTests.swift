import Foundation
import Nearby
import NearbyPostgres
import NearbyServerSupport
import NearbyService
import NearbyWire
import Testing

/// Tests of streams over a failover of PostgreSQL.
@Suite(.timeLimit(.minutes(2))) struct FailoverTests {
    private let server: PostgresServer
    private let url: String
    private let key: String

    init() async throws {
        server = try PostgresServer()
        url = try server.database()
        let store = try await PostgresStore(url: url)
        let project = try await store.createProject("shop")
        var random = SystemRandomNumberGenerator()
        let secret = Secret(.key, of: project.id, random: &random)
        _ = try await store.addKey(secret.hash, label: "", to: project.id)
        key = secret.text
    }

    /// Reports until the server takes it. The test's time limit bounds the wait.
    private func report(_ report: WireReport, from device: WireDevice, at url: String) async throws
        -> WireAnswer
    {
        while true {
            do { return try await device.report(report, at: url) } catch let error
                as WireDevice.UnexpectedStatus
            {
                guard error.status == 503 else { throw error }
            }
        }
    }

    /// Returns when the server refuses reports, because its lease is late. The test's time limit bounds
    /// the wait. A device that asks too often is still told of the lease.
    private func waitForLateLease(_ device: WireDevice, at url: String) async throws {
        var status: UInt = 200
        while status != 503 {
            do {
                try await device.report(WireReport(Report()), at: url)
            } catch let error as WireDevice.UnexpectedStatus {
                guard error.status == 429 || error.status == 503 else { throw error }
                status = error.status
            }
        }
    }

    /// PostgreSQL crashes, which empties the table of leases, and is back at once, or after the leases have
    /// expired. The stream stays open, nobody must report everything again, and events arrive once.
    @Test(arguments: [false, true]) func aCrashEndsNoStream(isLong: Bool) async throws {
        let instance = try await Instance(try await PostgresStore(url: url))
        let subscriber = try await WireDevice(key, at: instance.url)
        let publisher = try await WireDevice(key, at: instance.url)
        var subscription = Report()
        subscription.wantsTokens = [.audio]
        subscription.subscribed[OperationID(1)] = Subscription()
        subscription.isComplete = true
        let token = try #require(
            try await subscriber.report(WireReport(subscription), at: instance.url).grants?.first?.token)
        var publication = Report()
        publication.published[OperationID(1)] = Publication(try Message("hello", type: "t"))
        publication.isComplete = true
        try await publisher.report(WireReport(publication), at: instance.url)
        var events = try await subscriber.events(at: instance.url).makeAsyncIterator()

        let asker = try await WireDevice(key, at: instance.url)
        server.stop()
        if isLong {
            try await waitForLateLease(asker, at: instance.url)
            #expect(try await instance.metrics().contains("nearby_lease_late{project=\"1\"} 1\n"))
        }
        try server.start()

        var hearing = Report()
        hearing.observations = [TokenObservation(Token(token)!, on: .audio, age: .zero)]
        _ = try await report(WireReport(hearing), from: publisher, at: instance.url)
        var changes: [String] = []
        while changes.isEmpty, let answer = try await events.next() {
            changes += (answer.deliveries ?? []).map(\.change)
        }
        #expect(changes == ["found"])
        let metrics = try await instance.metrics()
        for line in ["lease_late{project=\"1\"} 0", "untold_news_seconds{project=\"1\"} 0.0"] {
            #expect(metrics.contains("nearby_\(line)\n"), "\(line)")
        }
        #expect(metrics.contains("nearby_told_seconds_count{project=\"1\"} 1\n"))
        await instance.end()
    }

    /// A lease that was lost in a crash goes to nobody else while its holder can take it again, and to the
    /// next one when the holder is gone, too.
    @Test func othersWaitForTheHolder() async throws {
        let (first, second) = (try await PostgresStore(url: url), try await PostgresStore(url: url))
        let project = try await first.projects()[0].id
        let (one, other) = (try await first.join(), try await second.join())
        one.announce("http://localhost:1")
        guard case .here(let lease) = try await one.place(of: project) else {
            Issue.record("the first one gets the project")
            return
        }
        server.stop()
        try server.start()
        other.announce("http://localhost:2")
        var place: ProjectPlace?
        while place == nil { place = try? await other.place(of: project) }
        guard case .there("http://localhost:1") = place else {
            Issue.record("the holder has lost its project: \(String(describing: place))")
            return
        }
        // On a busy machine the restart outlasts the lease, which is late until it is renewed.
        await lease.settled()
        #expect(lease.standing == .held)
        await one.leave()
        // A lease that was given back is free, as soon as the notice of it has arrived.
        var taken: Lease?
        while taken == nil {
            other.forget(project)
            if case .here(let lease) = try await other.place(of: project) { taken = lease }
        }
        #expect(try #require(taken).epoch > lease.epoch)
        await other.leave()
    }
}
