import Foundation
import Nearby
import NearbyServer
import NearbyServerSupport
import NearbyService
import NearbyTestSupport
import NearbyWire
import Testing

/// Tests of the lines that an operator reads, and of the contents that nobody may read.
@Suite(.timeLimit(.minutes(1))) struct ServerLogTests {
    private let folder = TemporaryFolder()
    private let log = LogLines()

    private func publishing(_ text: String) throws -> WireReport {
        var report = Report()
        report.published[OperationID(1)] = Publication(
            try Message(text, type: "a-type-nobody-reads", namespace: "nobody"))
        report.wantsTokens = [.audio]
        report.isComplete = true
        return WireReport(report)
    }

    @Test func operatorsReadOfProjectsLimitsAndKeysAndNothingThatIsSecret() async throws {
        let store = try SQLiteStore(path: folder.path + "/nearby.sqlite")
        let project = try await store.createProject("shop")
        var random = SystemRandomNumberGenerator()
        let key = Secret(.key, of: project.id, random: &random)
        let stored = try await store.addKey(key.hash, label: "", to: project.id)
        let instance = try await Instance(store, log: log)
        let device = try await WireDevice(key.text, at: instance.url)
        let token = try #require(
            try await device.report(publishing("nobody reads this"), at: instance.url).grants?.first?.token)
        await #expect(throws: WireDevice.UnexpectedStatus.self) {
            try await WireDevice("nbk_1_" + String(repeating: "A", count: 44), at: instance.url)
        }
        var tooLong = WireReport(Report())
        tooLong.end = (1...1000).map { $0 }
        await #expect(throws: WireDevice.UnexpectedStatus.self) {
            try await device.report(tooLong, at: instance.url)
        }
        var refused = 0
        while refused < 30 {
            do { try await device.report(WireReport(Report()), at: instance.url) } catch { refused += 1 }
        }
        _ = try await store.revokeKey(stored.id)
        while !log.containsLine(with: "devices of revoked keys are gone") {
            try await Task.sleep(for: .milliseconds(50))
        }
        await instance.end()

        let lines = log.whole
        #expect(lines.contains("info serving devices=0 name=shop project=1"))
        #expect(lines.contains("debug registered devices=1 key=1 project=1"))
        #expect(
            lines.contains(
                "debug refused: malformed path=/v1/report who=\(try #require(Secret(.device, device.secret[...])))"
            ))
        let guessed = try #require(Secret(.key, ("nbk_1_" + String(repeating: "A", count: 44))[...]))
        #expect(lines.contains("debug refused: unknown path=/v1/devices who=\(guessed)"))
        #expect(lines.contains("info devices of revoked keys are gone devices=1 project=1"))
        // Thirty refusals at once give one line, or two if the first second ends among them.
        let limits = lines.filter {
            $0.hasPrefix("warning refused: too many reports of this device path=/v1/report")
        }
        #expect((1...2).contains(limits.count), "\(limits)")
        #expect(!lines.contains { $0.contains(token) || $0.contains("nobody") || $0.contains("AAAA") })
        // A secret's name contains no part of it. The test looks for six characters, because four occur in
        // some word by chance.
        for secret in [device.secret.dropFirst(6), key.text.dropFirst(6)] {
            let parts = (0...(secret.count - 6)).map { secret.dropFirst($0).prefix(6) }
            #expect(!lines.contains { line in parts.contains { line.contains($0) } }, "\(secret)")
        }
    }
}
