import AsyncHTTPClient
import Foundation
import Nearby
import NearbyServerSupport
import NearbyTestSupport
import NearbyWire
import TestSupport
import Testing

@testable import NearbyServer

@Suite(.timeLimit(.minutes(1))) struct DrainTests {
    private let folder = TemporaryFolder()
    private var everything: WireReport {
        var report = Report()
        report.subscribed[OperationID(1)] = Subscription()
        report.isComplete = true
        return WireReport(report)
    }

    /// Opens the stream of a new device. Returns when its first words have come.
    private func open(_ server: Served) async throws -> (device: WireDevice, stream: RawConnection) {
        let device = try await WireDevice(try #require(server.key), at: server.url)
        try await device.report(everything, at: server.url)
        let stream = try RawConnection(server.url)
        await stream.send("GET /v1/events", bearer: device.secret)
        _ = try await stream.read(until: ":\n\n")
        return (device, stream)
    }

    /// Streams end one after another, the oldest first. Those that are left when the time is over stay for
    /// the caller.
    @Test func streamsEndAtARate() async {
        let ended = Locked<[Int]>([])
        let drain = Drain(rate: 100, time: .seconds(20))
        for n in 0..<50 { _ = drain.add { ended.withLock { $0.append(n) } } }
        drain.remove(2)
        let start = ContinuousClock.now
        await drain.run()
        #expect(start.duration(to: .now) > .milliseconds(470))
        #expect(ended.withLock { $0 } == [0] + Array(2..<50))
        #expect(drain.isOn && drain.add {} == nil)

        let short = Drain(rate: 1, time: .milliseconds(100))
        for _ in 0..<50 { _ = short.add { ended.withLock { $0.append(-1) } } }
        await short.run()
        #expect(ended.withLock { $0.count { $0 < 0 } } == 1)
    }

    /// While a server drains, its health says so, it opens no stream, and it still takes reports.
    @Test func aServerThatDrainsSendsDevicesElsewhere() async throws {
        let server = try Served(
            data: folder.path + "/data", more: ["--drain-rate", "1", "--drain-seconds", "5"])
        var devices: [WireDevice] = []
        var streams: [RawConnection] = []
        for _ in 0..<4 {
            let (device, stream) = try await open(server)
            devices.append(device)
            streams.append(stream)
        }
        let start = ContinuousClock.now
        kill(server.process.processIdentifier, SIGTERM)
        // The oldest stream ends first, and its connection with it.
        #expect(try await streams[0].read().hasSuffix("0\r\n\r\n"))
        let line = try #require(server.words.split(separator: "\n").first { $0.contains("status at ") })
        let health = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "\(line.split(separator: " ").last!)/healthz"), timeout: .seconds(10))
        #expect(health.status == .serviceUnavailable)
        let late = try RawConnection(server.url)
        await late.send("GET /v1/events", bearer: devices[0].secret)
        let answer = try await late.read()
        #expect(answer.hasPrefix("HTTP/1.1 503") && answer.contains("Retry-After: "), "\(answer)")
        #expect(answer.contains("Connection: close"), "\(answer)")
        try await devices[0].report(everything, at: server.url)
        for stream in streams.dropFirst() { _ = try await stream.read() }
        // Four streams at one a second.
        #expect(start.duration(to: .now) > .seconds(2.8))
        server.process.waitUntilExit()
        #expect(server.process.terminationStatus == 0 && start.duration(to: .now) < .bound(.seconds(8)))
    }

    /// A second signal waits for no stream.
    @Test func theSecondSignalEndsTheDrain() async throws {
        let server = try Served(
            data: folder.path + "/data", more: ["--drain-rate", "1", "--drain-seconds", "50"])
        var streams: [RawConnection] = []
        for _ in 0..<3 { streams.append(try await open(server).stream) }
        let start = ContinuousClock.now
        kill(server.process.processIdentifier, SIGTERM)
        _ = try await streams[0].read()
        server.end(SIGTERM)
        #expect(start.duration(to: .now) < .bound(.seconds(5)))
        #expect(server.process.terminationStatus == 0)
        _ = streams
    }
}
