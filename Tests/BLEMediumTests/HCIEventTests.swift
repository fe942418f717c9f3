import BLEMedium
import Nearby
import Signal
import Testing

/// Tests with vectors written by hand from Core 5.4, volume 4, part E §7.7.65.
struct HCIEventTests {
    private static let first: [UInt8] = [0x03, 0x01, 6, 5, 4, 3, 2, 0x11, 3, 0xAA, 0xBB, 0xCC, 0xC8]
    private static let second: [UInt8] = [0x00, 0x00, 1, 1, 1, 1, 1, 1, 0, 0x7F]

    @Test func severalReportsInOneEvent() {
        let body = [0x02, 2] + HCIEventTests.first + HCIEventTests.second
        let event = HCIEvent([0x3E, UInt8(body.count)] + body)
        #expect(
            event
                == .reports([
                    AdvertisingReport(
                        RadioAddress(.random, bits: 0x1102_0304_0506), rssiDBm: -56, data: [0xAA, 0xBB, 0xCC]),
                    AdvertisingReport(RadioAddress(.public, bits: 0x0101_0101_0101), rssiDBm: nil, data: []),
                ]))
    }

    /// A report that is cut off does not affect the reports before it.
    @Test func aReportThatIsCutOff() {
        let body = [0x02, 2] + HCIEventTests.first + HCIEventTests.second.dropLast(1)
        guard case .reports(let reports)? = HCIEvent([0x3E, UInt8(body.count)] + body) else {
            Issue.record("no reports")
            return
        }
        #expect(reports.count == 1)
        let lying: [UInt8] = [0x02, 1, 0x03, 0x01, 6, 5, 4, 3, 2, 1, 200, 1, 2, 3]
        #expect(HCIEvent([0x3E, UInt8(lying.count)] + lying) == .reports([]))
    }

    @Test func extendedReports() {
        let head: [UInt8] = [
            0x20, 0x00, 0x01, 6, 5, 4, 3, 2, 1, 1, 1, 9, 0x7F, 0xD8, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ]
        let body: [UInt8] = [0x0D, 1] + head + [2, 0xEE, 0xFF]
        let address = RadioAddress(.random, bits: 0x0102_0304_0506)
        let report = AdvertisingReport(address, rssiDBm: -40, data: [0xEE, 0xFF], setID: 9)
        #expect(
            HCIEvent([0x3E, UInt8(body.count)] + body)
                == .extendedReports([ExtendedReport(report, .incomplete)]))
    }

    @Test func answers() {
        #expect(
            HCIEvent([0x0E, 3, 1, 0, 0])
                == .commandComplete(.init(rawValue: 0), commandCount: 1, returned: []))
        #expect(
            HCIEvent([0x0F, 4, 0x0C, 2, 0x05, 0x20])
                == .commandStatus(.setRandomAddress, commandCount: 2, status: 0x0C))
        #expect(HCIEvent([0x10, 1, 7]) == .hardwareError(7))
        #expect(HCIEvent([0x3E, 6, 0x12, 0, 0, 0, 0, 0]) == .advertisingEnded(handle: 0))
        #expect(HCIEvent([0x3E, 2, 0x99, 0]) == .other)
    }

    @Test func anythingElseIsNone() {
        var random = SplitMix64(seed: 3)
        for bytes: [UInt8] in [[], [0x3E], [0x3E, 1], [0x3E, 0], [0x0E, 1, 1], [0x3E, 1, 2]] {
            #expect(HCIEvent(bytes) == nil)
        }
        for _ in 0..<20_000 {
            let count = Int(random.next() % 40)
            let body = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if case .extendedReports(let reports)? = HCIEvent([0x3E, UInt8(count)] + body) {
                #expect(reports.count <= count / 24)
            }
        }
    }
}
