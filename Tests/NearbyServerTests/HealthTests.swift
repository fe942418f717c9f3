import AsyncHTTPClient
import Foundation
import NIOCore
import Nearby
import NearbyServerSupport
import NearbyWire
import Testing

/// Tests of `/healthz` on servers whose database cannot be written.
@Suite(.timeLimit(.minutes(1))) struct HealthTests {
    private let folder = TemporaryFolder()

    private func health(_ server: Served) async throws -> (status: UInt, body: String) {
        let line = try #require(server.words.split(separator: "\n").first { $0.contains("status at ") })
        let url = try #require(line.split(separator: " ").last)
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "\(url)/healthz"), timeout: .seconds(10))
        return (response.status.code, String(buffer: try await response.body.collect(upTo: 1 << 16)))
    }

    /// A limit of the file size acts like a full disk: writes beyond it fail.
    @Test func aFullDiskIsNoHealth() async throws {
        let server = try Served(data: folder.path + "/data", limit: "trap '' XFSZ; ulimit -f 1000")
        let device = try await WireDevice(try #require(server.key), at: server.url)
        #expect(try await health(server) == (200, #"{"store":"ok"}"#))
        var refused: WireDevice.UnexpectedStatus?
        // The database grows until it reaches the limit.
        for number in 1...60 where refused == nil {
            var report = Report()
            report.published[OperationID(UInt64(number))] = Publication(
                try Message(Data(count: 20_000)), strategy: Strategy(media: [.ble]))
            do { try await device.report(WireReport(report), at: server.url) } catch let error
                as WireDevice.UnexpectedStatus
            {
                refused = error
            }
        }
        #expect(refused?.status == 503, "\(String(describing: refused))")
        // The server's last good answer is valid for three seconds.
        let end = ContinuousClock.now + .seconds(10)
        var answer = try await health(server)
        while answer.status == 200, ContinuousClock.now < end { answer = try await health(server) }
        #expect(answer.status == 503 && answer.body.contains(#""error":""#), "\(answer)")
        server.end(SIGTERM)
    }
}
