import Foundation
import Nearby
import NearbyServer
import NearbyServerSupport
import NearbyService
import NearbyWire
import Testing

/// Tests that a server refuses reports of every wrong kind over and over, and goes on.
@Suite(.timeLimit(.minutes(1))) struct RefusedReportTests {
    private let folder = TemporaryFolder()

    @Test func saysNoAndGoesOn() async throws {
        let store = try SQLiteStore(path: folder.path + "/nearby.sqlite")
        var random = SystemRandomNumberGenerator()
        let key = Secret(.key, of: try await store.createProject("shop").id, random: &random)
        _ = try await store.addKey(key.hash, label: "", to: key.project)
        let instance = try await Instance(store)
        let device = try await WireDevice(key.text, at: instance.url)
        let wrong: [(status: UInt, fill: (inout WireReport) -> Void)] = [
            (409, { $0.mailbox = "another" }), (400, { $0.wantsTokens = ["smoke"] }),
            (400, { $0.end = Array(1...201) }),
        ]
        for _ in 0..<10 {
            for (status, fill) in wrong {
                var filled = WireReport(Report())
                fill(&filled)
                let report = filled
                await #expect(throws: WireDevice.UnexpectedStatus(status: status)) {
                    try await device.report(report, at: instance.url)
                }
            }
        }
        try await device.report(WireReport(Report()), at: instance.url)
        await instance.end()
    }
}
