import NIOCore
import NearbyServerSupport
import NearbyService
import NearbyWire
import Testing

@testable import NearbyServer

/// Tests of strangers' connections beside those of honest devices.
@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    @Test(arguments: ["", "POST /v1/report HT", "POST /v1/report HTTP/1.1\r\nContent-Length: 9\r\nX: "])
    func aStrangerWithoutAWholeRequestIsClosed(start: String) async throws {
        let world = try await HostileWorld { $0.strangerPatience = .milliseconds(200) }
        let known = try world.connect()
        await known.send("POST /v1/report", bearer: world.device.secret, ["Content-Length: 2"], body: "{}")
        #expect(try await known.read(until: "mailbox").hasPrefix("HTTP/1.1 200"))
        let stranger = try world.connect()
        await stranger.send(start)
        #expect(try await stranger.read() == "")
        // This connection was made before, and has been as silent since.
        await known.send("POST /v1/report", bearer: world.device.secret, ["Content-Length: 2"], body: "{}")
        #expect(try await known.read(until: "mailbox").hasPrefix("HTTP/1.1 "))
        await world.instance.end()
    }

    @Test func aKnownConnectionThatIsIdleIsClosed() async throws {
        let world = try await HostileWorld { $0.idlePatience = .milliseconds(200) }
        let known = try world.connect()
        await known.send("POST /v1/report", bearer: world.device.secret, ["Content-Length: 2"], body: "{}")
        #expect(try await known.read().hasPrefix("HTTP/1.1 200"))
        await world.instance.end()
    }

    /// The strangers come from one address, or from many.
    @Test(arguments: [1, 100])
    func idleStrangersShutNobodyOut(addresses: Int) async throws {
        let world = try await HostileWorld { $0 = ConnectionLimits(total: 32) }
        let known = try world.connect()
        await known.send("POST /v1/report", bearer: world.device.secret, ["Content-Length: 2"], body: "{}")
        #expect(try await known.read(until: "mailbox").hasPrefix("HTTP/1.1 200"))
        var strangers: [RawConnection] = []
        for n in 0..<200 { strangers.append(try world.connect(from: "127.0.\(n % addresses).2")) }
        let newcomer = try await WireDevice(world.key, at: world.url)
        try await newcomer.report(WireReport(.init()), at: world.url)
        await known.send("POST /v1/report", bearer: world.device.secret, ["Content-Length: 2"], body: "{}")
        #expect(try await known.read(until: "\r\n").hasPrefix("HTTP/1.1 "))
        // The first connections were closed for the later ones.
        #expect(try await strangers[0].read() == "")
        #expect(world.lines(with: "no room for more").count == 1, "\(world.lines(with: "no room"))")
        let metrics = try await world.instance.metrics()
        let open = metrics.split(separator: "\n").first { $0.hasPrefix("nearby_connections ") }
        #expect(try #require(open.flatMap { Int($0.split(separator: " ")[1]) }) <= 32)
        await world.instance.end()
    }

    /// Streams last as long as their clients keep them. A later client finds no place, and one line in the
    /// log says so.
    @Test func whereAllAreBusyNobodyIsCut() async throws {
        let world = try await HostileWorld { $0 = ConnectionLimits(total: 16) }
        var streams: [RawConnection] = []
        for n in 0..<16 {
            let device = try await WireDevice(world.key, at: world.url)
            var everything = WireReport(.init())
            everything.isComplete = true
            try await device.report(everything, at: world.url)
            let stream = try world.connect(from: "127.0.\(n).9")
            await stream.send("GET /v1/events", bearer: device.secret)
            #expect(try await stream.read(until: "\n\n").hasPrefix("HTTP/1.1 200"))
            streams.append(stream)
        }
        #expect(try await world.connect(from: "127.1.0.1").read() == "")
        #expect(world.lines(with: "no room for more").count == 1)
        await world.instance.end()
    }

    /// The server parses the requests in one go and answers them one after the other. It answers a few, and
    /// then no more.
    @Test func requestsSentAheadGainNothing() async throws {
        let world = try await HostileWorld()
        let stranger = try world.connect()
        await stranger.send(String(repeating: "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n", count: 1000))
        let answers = try await stranger.read().split(separator: "HTTP/1.1 404").count
        #expect((1...8).contains(answers), "\(answers)")
        await world.instance.end()
    }

    @Test func whoIsRefusedOftenWaits() async throws {
        let delays = RefusalDelays()
        let (start, attacker) = (ContinuousClock.now, IPAddress("2001:db8::1"))
        let neighbour = IPAddress("2001:db8::ffff:2")
        for _ in 0..<20 { #expect(delays.delay(ofRefusal: 1, to: attacker, now: start) == .zero) }
        #expect(delays.delay(ofRefusal: 1, to: attacker, now: start) == .milliseconds(100))
        // Another address of its /64 belongs to the same site.
        #expect(delays.delay(ofRefusal: 1, to: neighbour, now: start) == .milliseconds(200))
        for _ in 0..<100 { _ = delays.delay(ofRefusal: 1, to: attacker, now: start) }
        #expect(delays.delay(ofRefusal: 1, to: attacker, now: start) == .seconds(1))
        #expect(delays.delay(ofRefusal: 1, to: IPAddress("2001:db8:1::1"), now: start) == .zero)
        #expect(delays.delay(ofRefusal: 1, to: attacker, now: start + .seconds(15)) == .zero)
    }
}
