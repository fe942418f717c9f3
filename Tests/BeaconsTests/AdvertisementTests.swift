import Signal
import Testing

@testable import Beacons

@Suite struct AdvertisementTests {
    @Test func structuresFollowEachOther() throws {
        let report = try bytes("020106 0303aafe 0716aafe 10e70200 00")
        let (all, isTruncated) = structures(of: report)
        #expect(
            all == [
                Structure(type: 0x01, body: [0x06]), Structure(type: 0x03, body: [0xAA, 0xFE]),
                Structure(type: 0x16, body: [0xAA, 0xFE, 0x10, 0xE7, 0x02, 0x00]),
            ])
        #expect(!isTruncated)
    }

    /// A length of 0 holds nothing and is no error. Zeros up to the end are padding; structures after other
    /// zeros count.
    @Test func zerosHoldNothing() throws {
        let (all, isTruncated) = structures(of: try bytes("020106 00 0000 020a05 0000"))
        #expect(all == [Structure(type: 1, body: [6]), Structure(type: 0x0A, body: [5])])
        #expect(!isTruncated)
        #expect(structures(of: []).all.isEmpty)
        #expect(structures(of: [0, 0, 0]).all.isEmpty)
    }

    /// Lengths reach past the end by one byte or by many, or nothing follows. The structures before them
    /// stand.
    @Test(arguments: ["0416aafe", "ff16aafe", "04", "0216"])
    func lengthPastTheEnd(tail: String) throws {
        let (all, isTruncated) = structures(of: try bytes("020106 0303aafe" + tail))
        #expect(all.count == 2)
        #expect(isTruncated)
    }

    @Test func bodiesMayBeEmpty() throws {
        #expect(
            structures(of: [1, 0x16, 1, 0xFF]).all == [
                Structure(type: 0x16, body: []), Structure(type: 0xFF, body: []),
            ])
    }

    /// A body of 0 bytes has no flags. In a body of several bytes the first one has them.
    @Test func flagsAreTheFirstByte() throws {
        #expect(flags(of: [2, 1, 6]) == .beacon)
        #expect(flags(of: [4, 1, 6, 0xFF, 0xFF]) == .beacon)
        #expect(flags(of: [1, 1]) == nil)
        #expect(flags(of: []) == nil)
    }

    @Test func oneUUIDInThreeSizes() throws {
        let payload: [UInt8] = [1, 2]
        let reports = [
            try bytes("0516aafe0102"), try bytes("0720aafe00000102"),
            try bytes("1321fb349b5f80000080 00100000aafe0000 0102"),
        ]
        for report in reports {
            #expect(serviceData(of: .eddystone, in: report) == payload, "\(report)")
            #expect(names(.eddystone, in: report))
            #expect(!names(BluetoothUUID(0xFEAB as UInt16), in: report))
        }
    }

    /// The body has one byte less than the UUID needs.
    @Test(arguments: [
        "0216aa", "0420aafe00", "1021fb349b5f8000008000100000aafe00", "0116", "0120", "0121", "02ff4c",
        "01ff",
    ])
    func dataTooShortForItsUUID(report: String) throws {
        let report = try bytes(report)
        let (all, isTruncated) = structures(of: report)
        #expect(all.count == 1 && !isTruncated)
        var reader = Advertisement(report.span).structures
        while let structure = reader.next() {
            if structure.serviceData != nil || structure.manufacturerData != nil {
                Issue.record("nothing was expected of \(report)")
            }
        }
        #expect(beacons(in: report).isEmpty)
    }

    /// The second and the third are found too; a list ignores an odd byte.
    @Test func typesComeSeveralTimes() throws {
        let report = try bytes("0316aafe 041634120a 0416 aafe30 0403aafe01 0503 f3feaafe")
        #expect(serviceData(of: BluetoothUUID(0x1234 as UInt16), in: report) == [10])
        #expect(serviceData(of: .eddystone, in: report) == [])
        #expect(names(BluetoothUUID(0xFEF3 as UInt16), in: report))
        var reader = Advertisement(report.span).structures
        var counts: [Int] = []
        while let structure = reader.next() { counts.append(structure.serviceUUIDCount) }
        #expect(counts == [0, 0, 0, 1, 2])
    }

    @Test func transmitPower() {
        var reader = Advertisement([2, 0x0A, 0xF4, 1, 0x0A, 3, 0x0A, 1, 0].span).structures
        var levels: [Int8?] = []
        while let structure = reader.next() { levels.append(structure.txPowerDBm) }
        #expect(levels == [-12, nil, nil])
    }

    /// There are 100 000 random reports, half of them made of structures with an end cut off. A slow reader
    /// finds the same.
    @Test func anyBytesAreRead() {
        var random = SplitMix64(seed: 11)
        var (whole, truncated) = (0, 0)
        for _ in 0..<100_000 {
            let report = RandomReport.make(&random)
            let read = structures(of: report)
            let expected = RandomReport.structures(of: report)
            #expect(read.all == expected.all && read.isTruncated == expected.isTruncated)
            whole += read.all.count
            truncated += read.isTruncated ? 1 : 0
            for case .success(let beacon) in beacons(in: report) { _ = beacon.referencePower }
        }
        #expect(whole > 100_000 && truncated > 10_000, "\(whole) \(truncated)")
    }
}
