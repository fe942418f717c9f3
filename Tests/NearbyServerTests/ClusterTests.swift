import Foundation
import Nearby
import NearbyPostgres
import NearbyServerSupport
import NearbyService
import NearbyWire
import TestSupport
import Testing

/// Tests of several instances on one PostgreSQL.
@Suite(.timeLimit(.minutes(2))) struct ClusterTests {

    /// Makes a database with a project and its key.
    private func shop(_ server: PostgresServer) async throws -> (url: String, project: Project, key: String) {
        let url = try server.database()
        let store = try await PostgresStore(url: url)
        let project = try await store.createProject("shop")
        var random = SystemRandomNumberGenerator()
        let key = Secret(.key, of: project.id, random: &random)
        _ = try await store.addKey(key.hash, label: "", to: project.id)
        return (url, project, key.text)
    }

    private func publishing(_ text: String) throws -> WireReport {
        var report = Report()
        report.published[OperationID(1)] = Publication(try Message(text, type: "t"))
        report.wantsTokens = [.audio]
        report.isComplete = true
        return WireReport(report)
    }

    private var subscribing: WireReport {
        var report = Report()
        report.subscribed[OperationID(1)] = Subscription()
        report.wantsTokens = [.audio]
        report.isComplete = true
        return WireReport(report)
    }

    private func hearing(_ token: String) throws -> WireReport {
        var report = Report()
        report.observations = [TokenObservation(Token(token)!, on: .audio, age: .zero)]
        return WireReport(report)
    }

    @Test func instancesThatStartTogetherShareTheirTables() async throws {
        let url = try PostgresServer.shared.get().database()
        let projects = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { try await PostgresStore(url: url).projects().count } }
            return try await group.reduce(0, +)
        }
        #expect(projects == 0)
    }

    @Test func clientsMayTalkToAnyInstance() async throws {
        let (url, _, key) = try await shop(try PostgresServer.shared.get())
        let a = try await Instance(try await PostgresStore(url: url))
        let b = try await Instance(try await PostgresStore(url: url))
        // The first request makes instance a the owner.
        let publisher = try await WireDevice(key, at: a.url)
        let subscriber = try await WireDevice(key, at: b.url)
        try await publisher.report(publishing("hello"), at: b.url)
        let token = try #require(
            try await subscriber.report(subscribing, at: a.url).grants?.first?.token)
        let events = try await subscriber.events(at: b.url)
        let start = ContinuousClock.now
        try await publisher.report(hearing(token), at: b.url)
        // The events arrive by push, through the instance that does not own the project.
        let delivery = try await events.first { $0.deliveries != nil }?.deliveries?.first
        #expect(start.duration(to: .now) < .bound(.seconds(5)))
        #expect(delivery?.change == "found")
        #expect(delivery?.message.content == Data("hello".utf8))
        await b.end()
        await a.end()
    }

    @Test func anInstanceThatEndsLeavesItsProjectsToOthers() async throws {
        let (url, _, key) = try await shop(try PostgresServer.shared.get())
        let a = try await Instance(try await PostgresStore(url: url))
        let b = try await Instance(try await PostgresStore(url: url))
        let device = try await WireDevice(key, at: a.url)
        try await device.report(publishing("one"), at: a.url)
        await a.end()
        let start = ContinuousClock.now
        // Instance b does not know the device's earlier reports, so that the device must report everything.
        await #expect(throws: WireDevice.UnexpectedStatus.self) {
            try await device.report(WireReport(Report()), at: b.url)
        }
        try await device.report(publishing("two"), at: b.url)
        #expect(start.duration(to: .now) < .bound(.seconds(2)))
        await b.end()
    }

    @Test func whoeverLostItsLeaseCommitsNothing() async throws {
        let server = try PostgresServer.shared.get()
        let (url, project, _) = try await shop(server)
        let (first, second) = (try await PostgresStore(url: url), try await PostgresStore(url: url))
        let (one, other) = (try await first.join(), try await second.join())
        one.announce("http://localhost:1")
        guard case .here(let lease) = try await one.place(of: project.id) else {
            Issue.record()
            return
        }
        try await first.commit([], deleted: [hash(1)], under: lease)
        // This is as if the instance had been stopped for longer than its lease lasts.
        other.announce("http://localhost:2")
        try server.query("UPDATE lease SET expires = now() - interval '1 s'", url)
        var place = try await other.place(of: project.id)
        if case .there = place {
            // The lease was renewed in between, so that the test tries once more.
            try server.query("UPDATE lease SET expires = now() - interval '1 s', epoch = 0", url)
            other.forget(project.id)
            place = try await other.place(of: project.id)
        }
        guard case .here(let taken) = place else {
            Issue.record()
            return
        }
        await #expect(throws: StoreError.superseded) {
            try await first.commit([], deleted: [hash(1)], under: lease)
        }
        try await second.commit([], deleted: [hash(1)], under: taken)
        // The instance is notified at once.
        let start = ContinuousClock.now
        while lease.standing != .lost, start.duration(to: .now) < .bound(.seconds(2)) {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(lease.standing == .lost)
        guard case .there("http://localhost:2") = try await one.place(of: project.id) else {
            Issue.record("it does not know who has the project")
            return
        }
        await one.leave()
        await other.leave()
    }

    @Test func whatIsAcknowledgedOutlivesACrashOfPostgres() async throws {
        let server = try PostgresServer()
        let (url, project, key) = try await shop(server)
        let instance = try await Instance(try await PostgresStore(url: url))
        let device = try await WireDevice(key, at: instance.url)
        for number in 0..<20 { try await device.report(publishing("before \(number)"), at: instance.url) }
        server.stop()
        await #expect(throws: (any Error).self) {
            try await device.report(publishing("during"), at: instance.url)
        }
        try server.start()
        let start = ContinuousClock.now
        while (try? await device.report(publishing("after"), at: instance.url)) == nil {
            try await Task.sleep(for: .milliseconds(50))
            guard start.duration(to: .now) < .bound(.seconds(10)) else { break }
        }
        #expect(start.duration(to: .now) < .bound(.seconds(2)))
        let stored = try await PostgresStore(url: url).devices(of: project.id)
        #expect(
            stored.map { $0.record.published.values.map(\.message) } == [[try Message("after", type: "t")]])
        await instance.end()
    }

    private func hash(_ number: UInt8) -> SecretHash {
        SecretHash(bytes: [UInt8](repeating: number, count: 32))!
    }
}
