import Signal
import Testing

@testable import Beacons

@Suite struct FrameTests {
    private func only(_ report: String) throws -> Result<Beacon, BeaconRejection> {
        let found = beacons(in: try bytes(report))
        #expect(found.count == 1)
        return try #require(found.first)
    }

    private func frame(_ hexadecimal: String) throws -> EddystoneFrame {
        try eddystone(bytes(hexadecimal))
    }

    @Test func uidWithAndWithoutReservedBytes() throws {
        let identifier: UInt128 = 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F
        let uid = EddystoneUID(identifier: identifier, txPowerAtZeroMetersDBm: -25)
        for tail in ["", "0000", "ffff"] {
            #expect(try frame("00e7000102030405060708090a0b0c0d0e0f" + tail) == .uid(uid))
        }
        #expect(uid.bytes == (try bytes("00e7000102030405060708090a0b0c0d0e0f0000")))
        #expect(uid.namespace == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] && uid.instance == [10, 11, 12, 13, 14, 15])
        #expect(
            EddystoneUID(namespace: uid.namespace, instance: uid.instance, txPowerAtZeroMetersDBm: -25) == uid
        )
        #expect(EddystoneUID(namespace: [1], instance: uid.instance, txPowerAtZeroMetersDBm: 0) == nil)
        #expect(throws: BeaconRejection.byteCount(.uid, expected: [18, 20], received: 19)) {
            try frame("00e7000102030405060708090a0b0c0d0e0f00")
        }
    }

    /// The advertisement is as a phone receives it: a URL, and a name after it.
    @Test func urlFromAir() throws {
        let report = "020106 0303aafe 0d16aafe 10e702676f6f676c6500 0c09526164426561636f6e2047"
        guard case .success(.eddystone(.url(let url))) = try only(report) else {
            Issue.record("a URL was expected")
            return
        }
        #expect(url.text == "http://google.com/")
        #expect(url.txPowerAtZeroMetersDBm == -25)
        #expect(structures(of: try bytes(report)).all.last?.body == Array("RadBeacon G".utf8))
    }

    @Test(arguments: [
        ("https://example.com/x", "03 6578616d706c65 00 78"), ("http://www.a.com", "00 61 07"),
        ("https://www.b.org/", "01 62 01"), ("http://c.info.biz/d", "02 63 0b 05 64"),
        ("https://e.gov", "03 65 0d"), ("https://f.comx", "03 66 07 78"),
    ])
    func urlsAreCompressed(text: String, encoded: String) throws {
        let url = try EddystoneURL(text, txPowerAtZeroMetersDBm: 4)
        #expect(url.encoded == (try bytes(encoded)))
        #expect(url.text == text)
        #expect(try eddystone(url.bytes) == .url(url))
    }

    @Test func urlsThatCannotBeSent() {
        let wrong: [(String, EddystoneURLProblem)] = [
            ("ftp://a.com", .scheme("ftp://a.com")), ("", .scheme("")),
            ("http://a b.com", .character("http://a b.com")), ("https://ä.de", .character("https://ä.de")),
            ("https://", .byteCount(0, "https://")),
            ("https://abcdefghijklmnopqr", .byteCount(18, "https://abcdefghijklmnopqr")),
        ]
        for (text, problem) in wrong {
            #expect(throws: problem) { try EddystoneURL(text, txPowerAtZeroMetersDBm: 0) }
        }
    }

    /// For every byte in a URL: 0 to 13 are codes, printable ones stand for themselves, others are refused.
    @Test func reservedCodesAreRefused() throws {
        for byte in UInt8.min...UInt8.max {
            let isTaken = byte <= 13 || (0x21...0x7E).contains(byte)
            if isTaken {
                _ = try eddystone([0x10, 0, 0, byte])
            } else {
                #expect(throws: BeaconRejection.reservedCode(byte)) { try eddystone([0x10, 0, 0, byte]) }
            }
        }
        #expect(throws: BeaconRejection.scheme(4)) { try eddystone([0x10, 0, 4, 65]) }
        #expect(throws: BeaconRejection.self) { try eddystone([0x10, 0, 0]) }
        #expect(throws: BeaconRejection.self) { try frame("10e700" + String(repeating: "61", count: 18)) }
    }

    @Test func telemetry() throws {
        let expected = EddystoneTelemetry(
            batteryMillivolts: 3000, temperature: 0x1580, advertisementCount: 1, uptimeDeciseconds: 25)
        #expect(try frame("2000 0bb8 1580 00000001 00000019") == .telemetry(expected))
        #expect(expected.temperatureCelsius == 21.5)
        #expect(expected.uptime == .milliseconds(2500))
        #expect(expected.bytes == (try bytes("2000 0bb8 1580 00000001 00000019")))
        let cold = EddystoneTelemetry(temperature: -128, advertisementCount: 0, uptimeDeciseconds: .max)
        #expect(cold.temperatureCelsius == -0.5)
        #expect(cold.uptime == .milliseconds(429_496_729_500))
        let none = EddystoneTelemetry(advertisementCount: 0, uptimeDeciseconds: 0)
        #expect(none.temperatureCelsius == nil && none.bytes[4...5] == [0x80, 0])
    }

    @Test func encryptedTelemetryAndIdentifiers() throws {
        let sealed = try bytes("2001 000102030405060708090a0b abcd 1234")
        guard case .encryptedTelemetry(let telemetry) = try eddystone(sealed) else {
            Issue.record("encrypted telemetry was expected")
            return
        }
        #expect(telemetry.salt == 0xABCD && telemetry.tag == 0x1234 && telemetry.bytes == sealed)
        let identifier = EphemeralIdentifier(rawValue: 0x0102_0304_0506_0708)
        let frame = EddystoneEID(identifier: identifier, txPowerAtZeroMetersDBm: -1)
        #expect(try eddystone(bytes("30ff0102030405060708")) == .ephemeral(frame))
        #expect(frame.bytes == (try bytes("30ff0102030405060708")))
        #expect(identifier.description == "0102030405060708")
    }

    /// Sensors of KKM and BlueCharm send type 0x21 under Eddystone's UUID. In Eddystone's own types the lower
    /// four bits must be 0.
    @Test func othersUnderTheSameUUIDAreUnknown() throws {
        for type in [UInt8](1...255) where ![0x10, 0x20, 0x30].contains(type) {
            let payload = [type] + [UInt8](repeating: 0, count: 17)
            #expect(try eddystone(payload) == .unknown(type: type, byteCount: 18))
        }
        let sensor = "020106 0303aafe 1216aafe 2101 0b 0ba9 19c0 3f80 0010 fff0 03e8 00"
        #expect(try only(sensor) == .success(.eddystone(.unknown(type: 0x21, byteCount: 15))))
        #expect(try frame("2002 0bb8 1580 00000001 00000019") == .unknown(type: 0x20, byteCount: 14))
        #expect(EddystoneFrame.unknown(type: 0x21, byteCount: 15).bytes == nil)
    }

    /// The payloads are as in the air, of beacons and of others. None is taken for another.
    @Test(arguments: [
        // These are Google's Find My Device network, in both of its modes.
        ("020106 1916aafe 40 000102030405060708090a0b0c0d0e0f10111213 55", "unknown 64"),
        ("020106 1916aafe 41 000102030405060708090a0b0c0d0e0f10111213 55", "unknown 65"),
        // These are a UID and its telemetry, sealed and not.
        ("0303aafe 1516aafe 00e7 00010203040506070809 0a0b0c0d0e0f", "uid"),
        ("0303aafe 1116aafe 2000 0bb8 1580 00000001 00000019", "telemetry"),
        ("0303aafe 1516aafe 2001 000102030405060708090a0b abcd 1234", "sealed telemetry"),
        ("0303aafe 1116aafe 2003 0bb8 1580 00000001 00000019", "unknown 32"),
        ("0303aafe 0d16aafe 30e7 0102030405060708", "ephemeral"),
        ("0303aafe 0e16aafe 30e7 0102030405060708 00", "malformed"),
        ("1aff4c000215 000102030405060708090a0b0c0d0e0f 0001 0002 c5", "iBeacon"),
        ("19ff4c000215 000102030405060708090a0b0c0d0e0f 0001 0002", "malformed"),
        ("1bff1801beac 000102030405060708090a0b0c0d0e0f10111213 c500", "altBeacon"),
        ("02010604ffe000be", "none"),
        // These are exposure notifications, Ruuvi's sensors, Apple's Find My, AirPods, handoff and overflow
        // area, and Microsoft's beacons.
        ("02011a 0303 6ffd 1716 6ffd 000102030405060708090a0b0c0d0e0f 40000000", "none"),
        ("020106 1bff9904 05 12fc5394c37c0004fffc040cac364200cd cbb8334c884f", "none"),
        ("1eff4c00 1219 10 000102030405060708090a0b0c0d0e0f101112131415 01 00", "none"),
        ("0aff4c00 10050b1c0f5a3c", "none"),
        ("14ff4c00 01 00000000000000000000000000000080", "none"),
        ("1eff0600 01 09 20 02 000102030405060708090a0b0c0d0e0f101112131415161718", "none"),
        ("0416 9ffe 00", "none"),
    ])
    func whatIsOnAir(report: String, kind: String) throws {
        let found = beacons(in: try bytes(report))
        #expect(found.count == (kind == "none" ? 0 : 1), "\(found)")
        for one in found {
            switch one {
            case .success(.eddystone(.uid)): #expect(kind == "uid")
            case .success(.eddystone(.url)): #expect(kind == "url")
            case .success(.eddystone(.telemetry)): #expect(kind == "telemetry")
            case .success(.eddystone(.encryptedTelemetry)): #expect(kind == "sealed telemetry")
            case .success(.eddystone(.ephemeral)): #expect(kind == "ephemeral")
            case .success(.eddystone(.unknown(let type, _))): #expect(kind == "unknown \(type)")
            case .success(.iBeacon): #expect(kind == "iBeacon")
            case .success(.altBeacon): #expect(kind == "altBeacon")
            case .failure: #expect(kind == "malformed")
            }
        }
    }

    @Test func framesOfTheWrongLength() throws {
        #expect(
            try only("0316aafe") == .failure(.byteCount(.eddystone, expected: Array(1...20), received: 0)))
        #expect(try only("0416aafe20") == .failure(.byteCount(.telemetry, expected: [14], received: 1)))
        for count in 1...24 where count != 14 && count > 1 {
            #expect(throws: BeaconRejection.byteCount(.telemetry, expected: [14], received: count)) {
                try eddystone(([0x20, 0] + [UInt8](repeating: 1, count: count - 2)))
            }
        }
        #expect(throws: BeaconRejection.self) { try frame("30ff01020304050607") }
        #expect(throws: BeaconRejection.self) { try frame("30ff010203040506070809") }
        #expect(throws: BeaconRejection.self) { try frame("2001 000102030405060708090a0b abcd 12") }
        let said = BeaconRejection.byteCount(.url, expected: Array(4...20), received: 1).description
        #expect(said == "Eddystone-URL: 4 to 20 bytes were expected, 1 came")
    }

    @Test func iBeacons() throws {
        let report = "02011a 1aff4c00 0215 000102030405060708090a0b0c0d0e0f 0001 8002 c5"
        let expected = IBeaconFrame(
            uuid: 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F, major: 1, minor: 0x8002, powerAtOneMeterDBm: -59)
        #expect(try only(report) == .success(.iBeacon(expected)))
        var composer = AdvertisementComposer()
        try composer.append(AdvertisementFlags(rawValue: 0x1A))
        try composer.append(.iBeacon(expected))
        #expect(composer.bytes == (try bytes(report)))
        // These are other data that Apple's devices send, and another company's.
        for other in [
            "0bff4c00 10050118d1b2c3aa", "06ff4c00 120200",
            "1aff4d00 0215" + String(repeating: "00", count: 21), "03ff4c00",
        ] {
            #expect(beacons(in: try bytes(other)).isEmpty, "\(other)")
        }
        #expect(
            try only("19ff4c00 0215" + String(repeating: "00", count: 20))
                == .failure(.byteCount(.iBeacon, expected: [23], received: 22)))
    }

    @Test func altBeacons() throws {
        let report = "02011a 1bff1801 beac 2f234454cf6d4a0fadf2f4911ba9ffa6 00010002 c5 09"
        let expected = AltBeaconFrame(
            company: 0x0118, organization: 0x2F23_4454_CF6D_4A0F_ADF2_F491_1BA9_FFA6, unit: 0x0001_0002,
            powerAtOneMeterDBm: -59, companyByte: 9)
        #expect(try only(report) == .success(.altBeacon(expected)))
        var composer = AdvertisementComposer()
        try composer.append(AdvertisementFlags(rawValue: 0x1A))
        try composer.append(.altBeacon(expected))
        #expect(composer.bytes == (try bytes(report)))
    }

    /// The reports are from AltBeacon's own tests: manufacturer data that end at once, one that reaches past
    /// the end, a missing field, a URL that is too short.
    @Test func hostileReports() throws {
        #expect(beacons(in: try bytes("02010604ffe000be")).isEmpty)
        #expect(
            beacons(in: try bytes("02011a1bff1801beac2f234454cf6d4a0fadf2f4911ba9ffa600010002c5")).isEmpty)
        #expect(
            try only("02011a1aff1801beac2f234454cf6d4a0fadf2f4911ba9ffa600010002c500000000")
                == .failure(.byteCount(.altBeacon, expected: [24], received: 23)))
        #expect(
            try only("0201060303aafe0416aafe1000000000")
                == .failure(.byteCount(.url, expected: Array(4...20), received: 1)))
    }

    @Test func powers() {
        let uid = EddystoneFrame.uid(EddystoneUID(identifier: 0, txPowerAtZeroMetersDBm: -18))
        #expect(uid.referencePower == ReferencePower(atOneMeterDBm: -59))
        let frame = IBeaconFrame(uuid: 0, major: 0, minor: 0, powerAtOneMeterDBm: -59)
        #expect(Beacon.iBeacon(frame).referencePower?.atZeroMetersDBm == -18)
        let battery = IBeaconFrame(uuid: 0, major: 0, minor: 0, powerAtOneMeterDBm: 30)
        #expect(Beacon.iBeacon(battery).referencePower == nil)
        #expect(ReferencePower(atZeroMetersDBm: -128).atOneMeterDBm == -169)
    }

    /// An Eddystone-UID fills a legacy advertisement to the last byte. No part of a frame that does not fit
    /// is written.
    @Test func budgets() throws {
        var composer = AdvertisementComposer()
        try composer.append(.beacon)
        let uid = Beacon.eddystone(.uid(EddystoneUID(identifier: 1, txPowerAtZeroMetersDBm: 0)))
        try composer.append(uid)
        #expect(composer.bytes.count == 31)
        var small = AdvertisementComposer(byteBudget: 27)
        #expect(throws: AdvertisementOverflow.self) { try small.append(uid) }
        #expect(small.bytes.isEmpty)
    }

    /// There are 50 000 random frames of every kind, with an allowed length or one beside it. An accepted
    /// frame comes back unchanged.
    @Test func framesComeBack() throws {
        var random = SplitMix64(seed: 13)
        var taken = 0
        for n in 0..<50_000 {
            let type = [0x00, 0x10, 0x20, 0x20, 0x30][n % 5] as UInt8
            let count = [18, 4 + n / 5 % 18, 14, 18, 10][n % 5] + (random.next() % 4 == 0 ? 1 : 0)
            var frame = [type] + (1..<count).map { _ in UInt8(truncatingIfNeeded: random.next() % 128) }
            if type == 0x20 { frame[1] = n % 5 == 2 ? 0 : 1 }
            if type == 0x10 {
                frame[2] %= 4
                for index in 3..<count where frame[index] < 0x21 || frame[index] == 0x7F {
                    frame[index] %= 14
                }
            }
            guard let parsed = try? eddystone(frame), let written = parsed.bytes else { continue }
            taken += 1
            #expect(written == (type == 0 ? Array(frame.prefix(18)) + [0, 0] : frame))
            if case .url(let url) = parsed {
                let again = try EddystoneURL(url.text, txPowerAtZeroMetersDBm: url.txPowerAtZeroMetersDBm)
                #expect(again.text == url.text && again.encoded.count <= url.encoded.count)
            }
        }
        #expect(taken > 30_000, "\(taken)")
    }
}
