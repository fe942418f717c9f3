import Nearby
import Testing

/// Tests of sightings that renew what was heard: frames too faint to be read.
@Suite struct RenewalTests {
    private static let id = OperationID(1)
    private static let token = Token(bits: 0xA1)

    private static func renewal(_ payload: Sighting.Payload) -> Sighting {
        var sighting = Sighting(payload, on: .audio)
        sighting.isRenewal = true
        return sighting
    }

    private static func device(_ subscription: Subscription) throws -> EngineDevice {
        var device = EngineDevice()
        try device.execute(.subscribe(id, subscription))
        device.answer()
        return device
    }

    private static func renew(_ payload: Sighting.Payload, _ device: inout EngineDevice) {
        device.take(device.state.happened(.sighted(renewal(payload)), on: .audio, now: device.now))
    }

    @Test func aTokenNeverHeardIsNotRenewed() throws {
        var device = try Self.device(Subscription())
        let before = device.reports.count
        Self.renew(.token(Self.token), &device)
        device.pass(.seconds(2))
        #expect(device.reports.count == before)
    }

    /// A token that is renewed every ten seconds counts as heard for as long, where it would be lost after
    /// 13.5 s.
    @Test(arguments: [true, false])
    func aTokenHeardIsRenewed(isRenewed: Bool) throws {
        var device = try Self.device(Subscription())
        device.hear(.token(Self.token))
        device.pass(.seconds(1))
        device.answer()
        var isHeard = false
        for _ in 0..<12 {
            device.pass(.seconds(10))
            if isRenewed { Self.renew(.token(Self.token), &device) }
            let report = device.reports.last!
            isHeard = report.observations.contains { $0.token == Self.token }
            device.answer()
        }
        #expect(isHeard == isRenewed)
    }

    /// A token whose signal has fallen by more than 6 dB is beyond a wall.
    @Test(arguments: [(0, true), (-2, false)])
    func aTokenBeyondAWallIsNotRenewed(snrDecibels: Float, isRenewed: Bool) throws {
        var device = try Self.device(Subscription())
        var sighting = Sighting(.token(Self.token), on: .audio, signal: .init(snrDecibels: 5))
        device.take(device.state.happened(.sighted(sighting), on: .audio, now: device.now))
        device.pass(.seconds(1))
        device.answer()
        (sighting.signal.snrDecibels, sighting.isRenewal) = (snrDecibels, true)
        for _ in 0..<12 {
            device.pass(.seconds(10))
            device.take(device.state.happened(.sighted(sighting), on: .audio, now: device.now))
            device.answer()
        }
        #expect(device.reports.last!.observations.isEmpty != isRenewed)
    }

    /// A token that was lost is not found again by a renewal.
    @Test func aTokenLostIsNotRenewed() throws {
        var device = try Self.device(Subscription())
        device.hear(.token(Self.token))
        device.pass(.seconds(1))
        device.answer()
        device.pass(.seconds(30))
        device.answer()
        let before = device.reports.count
        Self.renew(.token(Self.token), &device)
        device.pass(.seconds(1))
        #expect(device.reports.count == before)
    }

    /// Bytes are delivered once, for as long as they are renewed; bytes never heard are not delivered.
    @Test func bytesAreRenewed() throws {
        let bytes = try AudioBytes([7, 7, 7])
        var device = try Self.device(Subscription(.audioBytes))
        Self.renew(.audioBytes(bytes), &device)
        #expect(device.events[Self.id] == nil)
        device.hear(.audioBytes(bytes))
        for _ in 0..<3 {
            device.pass(.seconds(30))
            Self.renew(.audioBytes(bytes), &device)
        }
        device.hear(.audioBytes(bytes))
        #expect(device.events[Self.id] == [.heardBytes(bytes)])
        device.pass(.seconds(60))
        Self.renew(.audioBytes(bytes), &device)
        #expect(device.events[Self.id]?.count == 1)
        device.hear(.audioBytes(bytes))
        #expect(device.events[Self.id]?.count == 2)
    }
}
