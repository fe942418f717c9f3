import Foundation
import Nearby
import NearbyPostgres
import NearbyServerSupport
import NearbyService
import NearbyWire
import TestSupport
import Testing

/// Tests of `nearby serve` that is killed.
@Suite(.timeLimit(.minutes(2))) struct KilledInstanceTests {
    @Test func devicesOfAKilledInstanceAreServedWithinAHeartbeat() async throws {
        let database = try PostgresServer.shared.get().database()
        let first = try Served(database)
        let key = try #require(first.key)
        let publisher = try await WireDevice(key, at: first.url)
        var report = Report()
        report.published[OperationID(1)] = Publication(try Message("hello", type: "t"))
        report.isComplete = true
        try await publisher.report(WireReport(report), at: first.url)
        let store = try await PostgresStore(url: database)
        let project = try await store.projects()[0]
        // Data that a device does not repeat must not be lost with the process: the new owner reads it from
        // the database.
        let second = try await Instance(store)
        first.end(SIGKILL)
        let start = ContinuousClock.now
        await #expect(throws: WireDevice.UnexpectedStatus(status: 409)) {
            try await publisher.report(WireReport(Report()), at: second.url)
        }
        try await publisher.report(WireReport(report), at: second.url)
        #expect(start.duration(to: .now) < .bound(.seconds(5)))
        #expect(try await store.devices(of: project.id).count == 1)
        await second.end()
    }

    @Test func aStoppedInstanceThatComesBackHasNothingToSay() async throws {
        let database = try PostgresServer.shared.get().database()
        let first = try Served(database)
        let key = try #require(first.key)
        let device = try await WireDevice(key, at: first.url)
        var report = Report()
        report.published[OperationID(1)] = Publication(try Message("old", type: "t"))
        report.isComplete = true
        try await device.report(WireReport(report), at: first.url)
        let second = try await Instance(try await PostgresStore(url: database))
        kill(first.process.processIdentifier, SIGSTOP)
        report.published[OperationID(1)] = Publication(try Message("new", type: "t"))
        try await device.report(WireReport(report), at: second.url)
        kill(first.process.processIdentifier, SIGCONT)
        // The instance refuses until it knows the project's owner, and then passes on the owner's answers.
        let start = ContinuousClock.now
        while (try? await device.report(WireReport(report), at: first.url)) == nil {
            guard start.duration(to: .now) < .bound(.seconds(5)) else { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(start.duration(to: .now) < .bound(.seconds(2)))
        let metrics = try await second.metrics()
        #expect(metrics.contains("nearby_devices{project=\"1\"} 1"))
        first.end(SIGTERM)
        await second.end()
    }
}
