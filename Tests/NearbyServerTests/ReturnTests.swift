import Nearby
import NearbyServerSupport
import NearbyService
import NearbyTestSupport
import NearbyWire
import Signal
import Testing

@testable import NearbyServer

/// Tests of what a server says so that clients do not come back together.
@Suite(.timeLimit(.minutes(1))) struct ReturnTests {
    private let folder = TemporaryFolder()

    @Test func aStreamBeginsWithTheTimeToReturn() async throws {
        let world = try await HostileWorld()
        var report = Report()
        report.isComplete = true
        report.subscribed[OperationID(1)] = Subscription()
        try await world.device.report(WireReport(report), at: world.url)
        let client = try world.connect()
        await client.send("GET /v1/events", bearer: world.device.secret)
        let text = try await client.read(until: ":\n\n")
        #expect(text.contains("retry: 3000\n\ndata: {\"retryWithinSeconds\":2}\n\n"), "\(text)")
        await world.instance.end()
    }

    /// 1000 times around 100 s lie in 75…125 s, on both sides.
    @Test func retryAfterIsDrawn() {
        let times = RetryTimes(random: SplitMix64(seed: 1))
        let drawn = (0..<1000).map { _ in times.draw(around: 100) }
        #expect(drawn.allSatisfy { (75...125).contains($0) })
        #expect(Set(drawn).count > 40)
        #expect((0..<100).allSatisfy { _ in (1...2).contains(times.draw(around: 1)) })
    }

    private func register(_ world: HostileWorld, _ headers: [String], key: String? = nil) async throws
        -> String
    {
        let client = try world.connect()
        await client.send(
            "POST /v1/devices", bearer: key ?? world.key,
            headers + ["Content-Length: 0", "Connection: close"])
        return try await client.read()
    }

    private func secret(in answer: String) -> String? {
        answer.firstMatch(of: /"device":"([^"]+)"/).map { String($0.output.1) }
    }

    /// A client that lost the answer asks again and gets the same device, quoted or not.
    @Test func aNamedRegistrationIsOneDevice() async throws {
        let world = try await HostileWorld()
        let name = "Idempotency-Key: \"0123456789abcdefghijkl\""
        let first = try #require(secret(in: try await register(world, [name])))
        let again = try await register(world, ["Idempotency-Key: 0123456789abcdefghijkl"])
        #expect(again.hasPrefix("HTTP/1.1 201") && secret(in: again) == first, "\(again)")
        let other = try await register(world, ["Idempotency-Key: 0123456789abcdefghijkm"])
        #expect(secret(in: other) != first)
        #expect(secret(in: try await register(world, [])) != first)
        // The world's own device is one more.
        #expect(try await world.instance.metrics().contains("nearby_devices{project=\"1\"} 4\n"))
        let bad = try await register(world, ["Idempotency-Key: short"])
        #expect(bad.hasPrefix("HTTP/1.1 400") && bad.contains("Idempotency-Key: expected 22 to 64"), "\(bad)")
        await world.instance.end()
    }

    /// A name says nothing to those who have no key.
    @Test func aNameIsNoKey() async throws {
        let world = try await HostileWorld()
        let name = "Idempotency-Key: 0123456789abcdefghijkl"
        _ = try await register(world, [name])
        let answer = try await register(world, [name], key: "nbk_1_x")
        #expect(answer.hasPrefix("HTTP/1.1 401") && !answer.contains("nbd_"), "\(answer)")
        await world.instance.end()
    }

    /// Registrations beyond the limit are told to come back one after another.
    @Test func refusedRegistrationsAreSpread() async throws {
        let store = try SQLiteStore(path: folder.path + "/nearby.sqlite")
        let project = try await store.createProject("shop")
        var random = SystemRandomNumberGenerator()
        let key = Secret(.key, of: project.id, random: &random)
        _ = try await store.addKey(key.hash, label: "", to: project.id)
        var limits = ServiceSettings()
        limits.registrationsPerAddress = .init(perSecond: 0.1, atOnce: 1)
        let instance = try await Instance(store, limits: limits)
        var waits: [Int] = []
        for _ in 0..<12 {
            let client = try RawConnection(instance.url)
            await client.send(
                "POST /v1/devices", bearer: key.text, ["Content-Length: 0", "Connection: close"])
            let answer = try await client.read()
            if let match = answer.firstMatch(of: /Retry-After: (\d+)/) { waits.append(Int(match.output.1)!) }
        }
        try #require(waits.count == 11)
        #expect((7...13).contains(waits[0]) && (82...138).contains(waits[10]), "\(waits)")
        await instance.end()
    }
}
