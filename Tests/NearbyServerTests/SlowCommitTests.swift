import Foundation
import Nearby
import NearbyPostgres
import NearbyServerSupport
import NearbyService
import NearbyWire
import Testing

/// Tests of a database whose commits take seconds, for example because others fill its disk.
@Suite(.timeLimit(.minutes(1))) struct SlowCommitTests {

    /// Makes a database with a project, in which saving each device takes so long.
    private func shop(secondsPerDevice: Int) async throws -> (url: String, project: Project, key: String) {
        let server = try PostgresServer.shared.get()
        let url = try server.database()
        let store = try await PostgresStore(url: url)
        let project = try await store.createProject("shop")
        var random = SystemRandomNumberGenerator()
        let key = Secret(.key, of: project.id, random: &random)
        _ = try await store.addKey(key.hash, label: "", to: project.id)
        try server.query(
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_sleep(\(secondsPerDevice)); RETURN NEW; END';
            CREATE TRIGGER slow BEFORE INSERT ON device FOR EACH ROW EXECUTE FUNCTION wait();
            """, url)
        return (url, project, key.text)
    }

    private var publishing: WireReport {
        get throws {
            var report = Report()
            report.published[OperationID(1)] = Publication(try Message("hello", type: "t"))
            report.isComplete = true
            return WireReport(report)
        }
    }

    /// The lease lasts three seconds and is renewed during a commit of four.
    @Test func heartbeatsAreAnsweredBesideASlowCommit() async throws {
        let (url, _, key) = try await shop(secondsPerDevice: 4)
        let instance = try await Instance(try await PostgresStore(url: url))
        let (publisher, other) = (
            try await WireDevice(key, at: instance.url), try await WireDevice(key, at: instance.url)
        )
        let report = try publishing
        let commit = Task { try await publisher.report(report, at: instance.url) }
        let start = ContinuousClock.now
        var answered = 0
        while start.duration(to: .now) < .milliseconds(3900) {
            try await other.report(WireReport(Report()), at: instance.url)
            answered += 1
            // A device may report five times a second.
            try await Task.sleep(for: .milliseconds(250))
        }
        #expect(answered > 5)
        _ = try await commit.value
        #expect(start.duration(to: .now) >= .seconds(4))
        await instance.end()
    }

    /// The writes that are under way when a lease ends are complete when the next holder reads.
    @Test func whoTakesAProjectWaitsForTheCommitUnderWay() async throws {
        let (url, project, _) = try await shop(secondsPerDevice: 2)
        let (first, second) = (try await PostgresStore(url: url), try await PostgresStore(url: url))
        let (one, other) = (try await first.join(), try await second.join())
        one.announce("http://localhost:1")
        guard case .here(let lease) = try await one.place(of: project.id) else {
            Issue.record("a project that nobody has is taken")
            return
        }
        let key = try await first.keys(of: project.id)[0].id
        let device = StoredDevice(
            secret: SecretHash(bytes: [UInt8](repeating: 1, count: 32))!, key: key, record: DeviceRecord())
        let commit = Task {
            try await first.commit([device], deleted: [], under: lease)
        }
        try await Task.sleep(for: .milliseconds(500))
        other.announce("http://localhost:2")
        // This is as if the instance had been stopped for longer than its lease lasts. If the lease is
        // renewed in between, the test tries once more.
        let server = try PostgresServer.shared.get()
        var taken: Lease?
        for _ in 0..<100 where taken == nil {
            try server.query("UPDATE lease SET expires = now() - interval '1 s'", url)
            other.forget(project.id)
            if case .here(let lease) = try await other.place(of: project.id) { taken = lease }
        }
        #expect(taken != nil)
        #expect(try await second.devices(of: project.id).count == 1)
        try await commit.value
        await one.leave()
        await other.leave()
    }
}
