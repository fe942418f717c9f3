import CAllocationCount
import Testing

@testable import Beacons

/// Tests of allocations, because a room full of devices sends thousands of reports a second.
@Suite struct AdvertisementAllocationTests {
    /// Reading everything in a report, except beacons' web addresses, allocates no memory.
    @Test func readingAsksForNoMemory() throws {
        let reports = try [
            "020106 0303aafe 1516aafe 00e7 00010203040506070809 0a0b0c0d0e0f",
            "020106 0303aafe 1116aafe 2000 0bb81500 00000001 0000000a",
            "020106 0303aafe 0d16aafe 30e7 0102030405060708",
            "1aff4c00 0215 000102030405060708090a0b0c0d0e0f 0001 0002 c5",
            "02011a 1bff1801 beac 2f234454cf6d4a0fadf2f4911ba9ffa6 00010002 c5 09", "0416aafe21", "ff16", "",
        ].map(bytes)
        var sum = reading(reports)
        let before = nearby_allocation_count()
        sum += reading(reports)
        let spent = nearby_allocation_count() - before
        #expect(spent == 0)
        #expect(sum == 2 * 5)
        let counted = nearby_allocation_count()
        #expect(reports[0].map(Int.init).count == 29)
        #expect(nearby_allocation_count() > counted, "the count counts")
    }

    /// Returns the number of beacons.
    @inline(never)
    private func reading(_ reports: [[UInt8]]) -> Int {
        var count = 0
        for report in reports {
            let advertisement = Advertisement(report.span)
            if advertisement.names(BluetoothUUID(0x1234 as UInt16)) { count += 1000 }
            var reader = advertisement.structures
            while let structure = reader.next() {
                guard let beacon = try? Beacon(structure) else { continue }
                if case .eddystone(.unknown) = beacon { continue }
                count += 1
            }
        }
        return count
    }
}
