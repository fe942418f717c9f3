import BLEMedium
import Beacons
import Nearby
import Testing

/// Tests of beacons in reports, one by one.
@Suite struct BeaconScannerTests {
    private static let every = Set(AdvertisedID.Kind.allCases)

    private static func scanner(_ kinds: Set<AdvertisedID.Kind> = every) -> BeaconScanner {
        var scanner = BeaconScanner()
        scanner.kinds = kinds
        return scanner
    }

    private static func report(_ data: [UInt8], rssi: Int? = -60) -> AdvertisingReport {
        AdvertisingReport(RadioAddress(.random, bits: 1), rssiDBm: rssi, data: data)
    }

    private static let uid = Beacon.eddystone(
        .uid(EddystoneUID(identifier: 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F, txPowerAtZeroMetersDBm: -19))
    )

    /// Each kind is composed, and read as the bytes by which a registry knows it.
    @Test(
        arguments: [
            (uid, AdvertisedID.Kind.eddystone, Array(0...15)),
            (
                .eddystone(
                    .ephemeral(
                        EddystoneEID(
                            identifier: EphemeralIdentifier(rawValue: 0x0001_0203_0405_0607),
                            txPowerAtZeroMetersDBm: -19))), .ephemeral, Array(0...7)
            ),
            (
                .iBeacon(
                    IBeaconFrame(
                        uuid: 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F, major: 0x1011, minor: 0x1213,
                        powerAtOneMeterDBm: -60)), .iBeacon, Array(0...19)
            ),
            (
                .altBeacon(
                    AltBeaconFrame(
                        company: 0x0118, organization: 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F,
                        unit: 0x1011_1213, powerAtOneMeterDBm: -60)), .altBeacon, Array(0...19)
            ),
        ] as [(Beacon, AdvertisedID.Kind, [UInt8])])
    func idsAreAsRegistered(beacon: Beacon, kind: AdvertisedID.Kind, bytes: [UInt8]) throws {
        let data = try compose(beacon)
        var scanner = Self.scanner()
        let heard = scanner.hear(Self.report(data), now: .start)
        #expect(heard.map(\.id) == [AdvertisedID(kind, bytes)])
        // All of them state -60 dBm at 1 m.
        let meters = try #require(heard.first?.reading.meters)
        #expect(abs(meters - 1) < 1e-9 && heard.first?.reading.rssiDBm == -60)
        // If the system filters, its pattern matches the beacon.
        let pattern = RadioOrder.Pattern(kind)
        let fields = fields(data).filter { $0.first == pattern.type }
        #expect(fields.contains { $0.dropFirst(1 + Int(pattern.offset)).starts(with: pattern.bytes) })
        // A scanner that does not look for this kind reports nothing.
        var other = Self.scanner(Self.every.subtracting([kind]))
        #expect(other.hear(Self.report(data), now: .start).isEmpty)
    }

    /// URLs and telemetry do not name their sender.
    @Test func whatHasNoNameIsLeftOut() throws {
        let telemetry = Beacon.eddystone(
            .telemetry(
                try #require(
                    { () -> EddystoneTelemetry? in
                        let bytes: [UInt8] = [0x20, 0, 11, 184, 21, 0, 0, 0, 0, 1, 0, 0, 0, 1]
                        guard case .telemetry(let one)? = try? EddystoneFrame(bytes.span) else { return nil }
                        return one
                    }())))
        var scanner = Self.scanner()
        #expect(scanner.hear(Self.report(try compose(telemetry)), now: .start).isEmpty)
        #expect(scanner.hear(Self.report([0x06, 0x16, 0xAA, 0xFE, 0x00, 0x10, 0x01]), now: .start).isEmpty)
    }

    /// A beacon is reported once a second, with the median of its sightings.
    @Test func toldOnceASecondWithTheMedian() throws {
        let data = try compose(Self.uid)
        var scanner = Self.scanner()
        var told: [BeaconReading] = []
        for tenth in 0..<30 {
            // One sighting in five is 20 dB off.
            let report = Self.report(data, rssi: tenth % 5 == 4 ? -80 : -60)
            told += scanner.hear(report, now: .start + .milliseconds(100 * tenth)).map(\.reading)
        }
        // It is reported at once, again at the second sighting, which makes it known, and then each second.
        #expect((3...4).contains(told.count))
        #expect(told.allSatisfy { $0.rssiDBm == -60 })
    }

    @Test func anUnknownStrengthIsNoDistance() throws {
        var scanner = Self.scanner()
        let heard = scanner.hear(Self.report(try compose(Self.uid), rssi: nil), now: .start)
        #expect(heard.map(\.reading) == [BeaconReading()])
    }

    /// With 100 000 made-up ids in 20 s, at most 100 new ones a second are reported, and real beacons are
    /// heard as before.
    @Test func aFloodIsBounded() throws {
        var scanner = Self.scanner()
        var random = TestRandom(1)
        let data = try compose(Self.uid)
        let there = AdvertisedID(
            Beacon.eddystone(
                .uid(
                    EddystoneUID(
                        identifier: 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F, txPowerAtZeroMetersDBm: -19))))
        var (told, steady) = (0, 0)
        for second in 0..<20 {
            for n in 0..<5000 {
                let now = Instant.start + .seconds(second) + .microseconds(200 * n)
                let id = UInt128(random.next()) << 64 | UInt128(random.next())
                let made = Beacon.eddystone(
                    .uid(EddystoneUID(identifier: id, txPowerAtZeroMetersDBm: -19)))
                told += scanner.hear(Self.report(try compose(made)), now: now).count
                if n % 1000 == 0 {
                    steady += scanner.hear(Self.report(data), now: now).count { $0.id == there }
                }
            }
        }
        #expect(told <= 100 * 21)
        #expect(steady >= 19)
        #expect(scanner.distanceCount <= BeaconScanner.distanceLimit)
    }

    private func compose(_ beacon: Beacon) throws -> [UInt8] {
        var composer = AdvertisementComposer()
        try composer.append(AdvertisementFlags.beacon)
        try composer.append(beacon)
        return composer.bytes
    }

    private func fields(_ data: [UInt8]) -> [[UInt8]] {
        var (fields, rest) = ([[UInt8]](), data[...])
        while let length = rest.first, length > 0 {
            fields.append(Array(rest.dropFirst().prefix(Int(length))))
            rest = rest.dropFirst(1 + Int(length))
        }
        return fields
    }
}
