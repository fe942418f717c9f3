import Foundation
import Nearby
import NearbyServerSupport
import NearbyWire
import TestSupport
import Testing

/// Tests of servers that are asked to end while devices listen.
@Suite(.timeLimit(.minutes(1))) struct OrderlyEndTests {
    private var everything: WireReport {
        var report = Report()
        report.subscribed[OperationID(1)] = Subscription()
        report.isComplete = true
        return WireReport(report)
    }

    /// The server does not wait for the other instance's next event, and the device receives the stream's
    /// end.
    @Test(arguments: [SIGTERM, SIGINT])
    func aStreamThatIsPassedOnHoldsNothingUp(signal: Int32) async throws {
        let database = try PostgresServer.shared.get().database()
        let owner = try Served(database)
        let other = try Served(database, isFirst: false)
        // The first request makes the instance the owner.
        let device = try await WireDevice(try #require(owner.key), at: owner.url)
        try await device.report(everything, at: owner.url)
        var events = try await device.events(at: other.url).makeAsyncIterator()
        // The wake signal at the stream's opening has nothing to report, so that the instance waits for the
        // next one.
        try await Task.sleep(for: .milliseconds(200))
        let start = ContinuousClock.now
        other.end(signal)
        #expect(start.duration(to: .now) < .bound(.seconds(3)))
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
        #expect(start.duration(to: .now) < .bound(.seconds(3)))
        while let event = try await events.next() { #expect(event.deliveries == nil) }
    }
}

/// Tests of servers that are asked to end twice.
@Suite(.timeLimit(.minutes(1))) struct SecondSignalTests {
    private let folder = TemporaryFolder()

    /// The server waits for the rest of a body, but not after a second signal.
    @Test func theSecondSignalWaitsForNobody() async throws {
        let server = try Served(data: folder.path + "/data")
        let device = try await WireDevice(try #require(server.key), at: server.url)
        let client = try RawConnection(server.url)
        await client.send(
            "POST /v1/report", bearer: device.secret, ["Content-Length: 9", "Expect: 100-continue"])
        #expect(try await client.read(until: "\r\n\r\n").contains("100"))
        let start = ContinuousClock.now
        kill(server.process.processIdentifier, SIGTERM)
        // The listener is closed, so that the server has taken the first signal.
        while (try? RawConnection(server.url)) != nil { await Task.yield() }
        server.end(SIGTERM)
        #expect(start.duration(to: .now) < .bound(.seconds(2)))
        #expect(server.process.terminationStatus == 0)
    }
}

/// Tests of servers that are asked to end while clients hinder them.
@Suite(.timeLimit(.minutes(1))) struct HinderedEndTests {
    private let folder = TemporaryFolder()

    @Test func whatDripsHoldsNothingUp() async throws {
        let server = try Served(data: folder.path + "/data")
        let device = try await WireDevice(try #require(server.key), at: server.url)
        var everything = WireReport(Report())
        everything.isComplete = true
        try await device.report(everything, at: server.url)
        // The clients send no head, half a head, half a body, half a stranger's body, requests that wait, and
        // a stream request that they do not read.
        let starts = [
            "", "POST /v1/rep",
            "POST /v1/report HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(device.secret)\r\nContent-Length: 9\r\n\r\n{",
            "POST /v1/report HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nContent-Length: 9\r\n\r\n{",
            String(repeating: "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n", count: 60),
            "GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(device.secret)\r\n\r\n",
        ]
        var clients: [RawConnection] = []
        for start in starts {
            let client = try RawConnection(server.url)
            await client.send(start)
            clients.append(client)
        }
        #expect(try await clients[5].read(until: "\n\n").hasPrefix("HTTP/1.1 200"))
        let start = ContinuousClock.now
        server.end(SIGTERM)
        #expect(start.duration(to: .now) < .bound(.seconds(5)))
        #expect(server.process.terminationStatus == 0)
        for client in clients { _ = try await client.read() }
    }
}
