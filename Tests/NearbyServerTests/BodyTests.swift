import NIOCore
import NearbyServerSupport
import NearbyWire
import Testing

@testable import NearbyServer

/// Tests of bodies that are large, slow, numerous, or sent by strangers.
@Suite(.timeLimit(.minutes(1))) struct BodyTests {
    private static let large = String(repeating: " ", count: 80_000)

    @Test func whatIsAnnouncedTooLargeIsRefusedBeforeItComes() async throws {
        let world = try await HostileWorld()
        let device = try world.connect()
        await device.send(
            "POST /v1/report", bearer: world.device.secret,
            ["Content-Length: 2097153", "Expect: 100-continue"])
        let answer = try await device.read()
        #expect(
            answer.hasPrefix("HTTP/1.1 413") && answer.lowercased().contains("connection: close"), "\(answer)"
        )
        await world.instance.end()
    }

    @Test func whatGrowsTooLargeIsRefused() async throws {
        let world = try await HostileWorld()
        let device = try world.connect()
        await device.send("POST /v1/report", bearer: world.device.secret, ["Transfer-Encoding: chunked"])
        let chunk = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
        for _ in 0..<33 { await device.send(chunk) }
        let answer = try await device.read()
        #expect(answer.hasPrefix("HTTP/1.1 413"), "\(answer)")
        await world.instance.end()
    }

    /// A client sends more than the server reads. The server does not reset the connection, because a proxy
    /// takes a reset for a failed server and does not pass on the answer.
    @Test func whoIsStillSendingGetsTheAnswer() async throws {
        let world = try await HostileWorld {
            $0.lingerPatience = .seconds(20)
            $0.endPatience = .milliseconds(100)
        }
        let device = try world.connect()
        await device.send("POST /v1/report", bearer: world.device.secret, ["Content-Length: 3000000"])
        let answer = try await device.read()
        #expect(answer.hasPrefix("HTTP/1.1 413"), "\(answer)")
        for _ in 0..<10 { #expect(await device.send(String(repeating: " ", count: 30_000))) }
        await world.instance.end()
    }

    @Test func aBodyThatDripsIsRefused() async throws {
        let world = try await HostileWorld { $0.bodyPatience = .milliseconds(200) }
        let device = try world.connect()
        await device.send("POST /v1/report", bearer: world.device.secret, ["Content-Length: 9"], body: "{")
        let answer = try await device.read()
        #expect(
            answer.hasPrefix("HTTP/1.1 408") && answer.lowercased().contains("connection: close"), "\(answer)"
        )
        await world.instance.end()
    }

    /// The answer comes even if the body does not, and stops a client that waits from sending it.
    @Test(
        arguments: ["/v1/report", "/v1/beacons:getforobserved", "/v1/devices", "/nothing"],
        [[], ["Expect: 100-continue"]])
    func nothingOfAStrangersBodyIsRead(path: String, more: [String]) async throws {
        let world = try await HostileWorld()
        let stranger = try world.connect()
        await stranger.send("POST \(path)", bearer: "nonsense", ["Content-Length: 1000000"] + more)
        let answer = try await stranger.read()
        #expect(answer.hasPrefix(path == "/nothing" ? "HTTP/1.1 404" : "HTTP/1.1 401"), "\(answer)")
        #expect(answer.lowercased().contains("connection: close"), "\(answer)")
        await world.instance.end()
    }

    @Test func whoWaitsIsToldToContinue() async throws {
        let world = try await HostileWorld()
        let device = try world.connect()
        await device.send(
            "POST /v1/report", bearer: world.device.secret, ["Content-Length: 2", "Expect: 100-continue"])
        #expect(try await device.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        await device.send("{}")
        #expect(try await device.read(until: "mailbox").hasPrefix("HTTP/1.1 200"))
        await world.instance.end()
    }

    /// A small body after an early answer is discarded, and the connection goes on.
    @Test func aConnectionOutlivesAnEarlyAnswer() async throws {
        let world = try await HostileWorld()
        let stranger = try world.connect()
        await stranger.send("POST /nothing", ["Content-Length: 9"], body: "1234")
        #expect(try await stranger.read(until: "path\"}").hasPrefix("HTTP/1.1 404"))
        await stranger.send("56789")
        await stranger.send("POST /v1/report", bearer: world.device.secret, ["Content-Length: 2"], body: "{}")
        #expect(try await stranger.read(until: "mailbox").hasPrefix("HTTP/1.1 200"))
        await world.instance.end()
    }

    @Test(arguments: [false, true]) func bodiesUnderWayAreBoundedTogether(ofAddress: Bool) async throws {
        // The times to return are drawn around one second; this source draws the shortest.
        let world = try await HostileWorld(
            {
                if ofAddress { $0.bodyBytesOfAddress = 100_000 } else { $0.bodyBytes = 100_000 }
            }, random: Zeros())
        let others = try (0..<2).map { _ in try world.connect() }
        let second = try await WireDevice(world.key, at: world.url)
        await others[0].send(
            "POST /v1/report", bearer: world.device.secret, ["Content-Length: 80002", "Connection: close"],
            body: BodyTests.large)
        await others[1].send(
            "POST /v1/report", bearer: second.secret, ["Content-Length: 80002", "Connection: close"],
            body: BodyTests.large)
        // The order of arrival decides which request is one too many.
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for other in others { group.addTask { try await other.read() } }
            let first = try await group.next()!
            for other in others { await other.send("{}") }
            return [first, try await group.next()!]
        }
        #expect(answers[0].hasPrefix(ofAddress ? "HTTP/1.1 429" : "HTTP/1.1 503"), "\(answers[0])")
        #expect(answers[0].lowercased().contains("retry-after: 1\r\n"))
        await world.instance.end()
    }

    /// Otherwise the client would misread the next answer on the connection (RFC 9110 §9.3.2).
    @Test func anAnswerToHEADHasNoBody() async throws {
        let world = try await HostileWorld()
        let client = try world.connect()
        await client.send("HEAD /v1/report", ["Connection: close"])
        let answer = try await client.read()
        #expect(answer.hasPrefix("HTTP/1.1 405") && answer.hasSuffix("\r\n\r\n"), "\(answer)")
        await world.instance.end()
    }
}

private struct Zeros: RandomNumberGenerator {
    mutating func next() -> UInt64 { 0 }
}
