import BLEMedium
import TestSupport
import Testing

@testable import nearby_cli

/// Tests of the lines of `nearby ble scan`.
@Suite struct ScanHistoryTests {
    private let address = RadioAddress(.random, bits: 0x0102_0304_0506)

    private func report(_ hexadecimal: String, rssiDBm: Int) throws -> AdvertisingReport {
        let data = try #require([UInt8](hexadecimal: hexadecimal.filter { $0 != " " }))
        return AdvertisingReport(address, rssiDBm: rssiDBm, data: data)
    }

    private static let uid = "0303aafe 1516aafe 00e7 00010203040506070809 0a0b0c0d0e0f"
    private static let otherUID = "0303aafe 1516aafe 00e7 00010203040506070809 ffffffffffff"
    private static let url = "0303aafe 0d16aafe 10e702676f6f676c6500"
    private static let telemetry = "0303aafe 1116aafe 2000 0bb8 1580 00000001 00000019"
    private static let iBeacon = "1aff4c000215 000102030405060708090a0b0c0d0e0f 0001 0002 c5"
    private static let otherIBeacon = "1aff4c000215 000102030405060708090a0b0c0d0e0f 0001 0003 c5"

    /// One sender is several beacons in turn. Each is one line, with its own strength and its own distance.
    @Test func severalBeaconsOfOneAddressAreNotMixed() throws {
        let frames = [
            Self.uid, Self.otherUID, Self.url, Self.telemetry, Self.iBeacon, Self.otherIBeacon,
        ]
        var history = ScanHistory(onlyBeacons: true, tellsAll: false)
        var told = 0
        for turn in 0..<20 {
            for (n, frame) in frames.enumerated() {
                let heard = try report(frame, rssiDBm: -40 - 10 * n)
                told += history.note(heard, at: .milliseconds(1000 * turn + n)).count
            }
        }
        #expect(told == frames.count && history.foundCount == frames.count)
        #expect(history.entries.count == frames.count)
        for (n, entry) in history.entries.enumerated() {
            #expect(entry.rssiDBm == -40 - 10 * n && entry.count == 20)
        }
        let meters = history.entries.filter { $0.finding.kind == "eddystone-uid" }.compactMap {
            $0.distance?.meters
        }
        #expect(meters.count == 2 && meters[0] < meters[1] / 2)
    }

    /// The complete name stays, whichever comes first, in one advertisement and over several.
    @Test func theCompleteNameStays() throws {
        let (short, complete) = ("05085261646f", "0a095261646f2042656163")
        for report in ["\(short) \(complete)", "\(complete) \(short)"] {
            let data = try #require([UInt8](hexadecimal: report.filter { $0 != " " }))
            #expect(AdvertisementContent(data).name?.text == "Rado Beac")
        }
        for order in [[short, complete], [complete, short]] {
            var history = ScanHistory(onlyBeacons: false, tellsAll: false)
            for name in order { _ = history.note(try report(name, rssiDBm: -50), at: .zero) }
            #expect(history.entries.map(\.name) == ["Rado Beac"])
        }
    }
}
