import Foundation
import Nearby
import NearbyPostgres
import NearbyServer
import NearbyServerSupport
import NearbyService
import NearbyWire
import TestSupport
import Testing

/// Tests of backups that are taken while a server works, and restored at another place after that server is
/// gone: its devices go on with the secrets that they have.
@Suite(.timeLimit(.minutes(2))) struct BackupTests {
    enum Method: String, CaseIterable, Sendable {
        case backup, vacuum, dump
    }

    private let folder = TemporaryFolder()
    private let strategy = Strategy(media: [.audio])

    private func publish(_ text: String) throws -> WireReport {
        var report = Report()
        report.isComplete = true
        report.published[OperationID(1)] = Publication(try Message(text), strategy: strategy)
        report.wantsTokens = [.audio]
        return WireReport(report)
    }

    private func subscribe(hearing token: Token) -> WireReport {
        var report = Report()
        report.isComplete = true
        report.subscribed[OperationID(1)] = Subscription(strategy: strategy)
        report.observations = [TokenObservation(token, on: .audio, age: .zero)]
        return WireReport(report)
    }

    private func token(in answer: WireAnswer) throws -> Token {
        try #require(answer.grants?.first.flatMap { Token($0.token) })
    }

    /// Registers devices one after another until the task is cancelled. `begun` hears of each.
    private static func work(
        _ report: WireReport, _ key: String, _ url: String, begun: AsyncStream<Void>.Continuation
    ) async throws {
        while !Task.isCancelled {
            try await WireDevice(key, at: url).report(report, at: url)
            begun.yield()
        }
    }

    private func sqlite(_ path: String, _ command: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sqlite3", path, command]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// Backs a working server up, and returns the arguments of a server on the restored data.
    private func move(_ method: Method, from place: String) throws -> String {
        guard method != .dump else {
            let server = try PostgresServer.shared.get()
            let restored = try server.database()
            try server.restore(server.dump(place), into: restored)
            return restored
        }
        let copy = folder.path + "/backup.sqlite"
        let command = method == .backup ? ".backup '\(copy)'" : "VACUUM INTO '\(copy)'"
        try sqlite(place + "/nearby.sqlite", command)
        let restored = folder.path + "/restored"
        try FileManager.default.createDirectory(atPath: restored, withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: copy, toPath: restored + "/nearby.sqlite")
        return restored
    }

    private func serve(_ method: Method, _ place: String, isFirst: Bool) throws -> Served {
        method == .dump ? try Served(place, isFirst: isFirst) : try Served(data: place, isFirst: isFirst)
    }

    /// Sends a report again while the new server waits for the lease of the project.
    private func report(_ device: WireDevice, _ report: WireReport, at url: String) async throws -> WireAnswer
    {
        let start = ContinuousClock.now
        while true {
            do { return try await device.report(report, at: url) } catch let error
                as WireDevice.UnexpectedStatus
            {
                guard error.status == 503, start.duration(to: .now) < .bound(.seconds(15)) else {
                    throw error
                }
            }
        }
    }

    @Test(arguments: Method.allCases) func devicesGoOnAfterARestore(_ method: Method) async throws {
        let place =
            method == .dump ? try PostgresServer.shared.get().database() : folder.path + "/first"
        let first = try serve(method, place, isFirst: true)
        let key = try #require(first.key)
        let box = try await WireDevice(key, at: first.url, label: "SN-1")
        let app = try await WireDevice(key, at: first.url)
        let heard = try token(in: try await box.report(publish("in the hall"), at: first.url))
        let before = try await app.report(subscribe(hearing: heard), at: first.url)
        #expect(before.deliveries?.map(\.change) == ["found"])

        let (begun, tell) = AsyncStream.makeStream(of: Void.self)
        let busy = Task { [url = first.url, report = try publish("busy")] in
            try await BackupTests.work(report, key, url, begun: tell)
        }
        _ = await begun.first { _ in true }
        let restored = try move(method, from: place)
        // The server worked during the backup, and does so after it.
        _ = await begun.first { _ in true }
        busy.cancel()
        _ = await busy.result
        first.end(SIGKILL)

        let store: any ServiceStore =
            method == .dump
            ? try await PostgresStore(url: restored) : try SQLiteStore(path: restored + "/nearby.sqlite")
        let kept = try await store.devices(of: ProjectID(1))
        #expect(kept.count >= 3)
        #expect(kept.filter { $0.label == "SN-1" }.map(\.record.published.count) == [1])
        #expect(kept.filter { !$0.record.subscribed.isEmpty }.count == 1)

        let second = try serve(method, restored, isFirst: false)
        await #expect(throws: WireDevice.UnexpectedStatus(status: 409)) {
            _ = try await report(box, WireReport(Report()), at: second.url)
        }
        let told = try await box.report(publish("in the hall"), at: second.url)
        try await box.report(
            WireReport(Report(), mailbox: told.mailbox, takenNews: told.news), at: second.url)
        await #expect(throws: WireDevice.UnexpectedStatus(status: 409)) {
            try await app.report(WireReport(Report()), at: second.url)
        }
        let after = try await app.report(subscribe(hearing: try token(in: told)), at: second.url)
        #expect(after.deliveries?.map(\.change) == ["found"])
        #expect(after.deliveries?.first?.publication == before.deliveries?.first?.publication)
        _ = try await WireDevice(key, at: second.url)
        second.end(SIGTERM)
    }
}
