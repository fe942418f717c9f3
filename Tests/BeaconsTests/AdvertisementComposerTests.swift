import Signal
import Testing

@testable import Beacons

@Suite struct AdvertisementComposerTests {
    @Test func whatIsWrittenIsRead() throws {
        var composer = AdvertisementComposer()
        try composer.append(.beacon)
        try composer.append(listing: .eddystone)
        try composer.append(serviceData: [0x10, 0], of: .eddystone)
        try composer.append(manufacturerData: [9], of: 0x1234)
        #expect(composer.bytes == (try bytes("020106 0303aafe 0516aafe1000 04ff341209")))
        #expect(composer.bodyByteBudget == 31 - composer.bytes.count - 2)
    }

    @Test func longUUIDs() throws {
        let uuid = try #require(BluetoothUUID("12345678-9abc-def0-1234-56789abcdef0"))
        var composer = AdvertisementComposer()
        try composer.append(serviceData: [7], of: uuid)
        #expect(composer.bytes == (try bytes("1221 f0debc9a78563412f0debc9a78563412 07")))
        #expect(serviceData(of: uuid, in: composer.bytes) == [7])
    }

    /// A structure that does not fit throws an error, and no part of it is written.
    @Test func overflow() throws {
        var composer = AdvertisementComposer()
        try composer.append(.beacon)
        let before = composer
        let overflow = AdvertisementOverflow(type: .completeLocalName, neededBytes: 29, leftBytes: 28)
        #expect(throws: overflow) {
            try composer.append(.completeLocalName, [UInt8](repeating: 65, count: 27))
        }
        #expect(composer.bytes == before.bytes)
        #expect(
            overflow.description
                == "a structure of type 0x9 needs 29 bytes, there are 28 left: send less, or in a second advertisement"
        )
        try composer.append(.completeLocalName, [UInt8](repeating: 65, count: 26))
        #expect(composer.bytes.count == 31 && composer.bodyByteBudget == -2)
        #expect(throws: AdvertisementOverflow.self) { try composer.append(.flags, []) }
    }

    /// The length is a single byte, however much an extended advertisement holds.
    @Test func oneStructureHasABodyOf254() throws {
        var composer = AdvertisementComposer(byteBudget: 1650)
        try composer.append(.manufacturerData, [UInt8](repeating: 1, count: 254))
        #expect(throws: AdvertisementOverflow.self) {
            try composer.append(.manufacturerData, [UInt8](repeating: 1, count: 255))
        }
        #expect(structures(of: composer.bytes).all.first?.body.count == 254)
    }

    /// There are 20 000 random reports. After reading and writing, a report reads the same. Up to the end or
    /// a zero it has the same bytes.
    @Test func readAndWrittenAgain() throws {
        var random = SplitMix64(seed: 12)
        for _ in 0..<20_000 {
            let report = RandomReport.make(&random)
            let (all, _) = structures(of: report)
            var composer = AdvertisementComposer(byteBudget: report.count)
            for structure in all { try composer.append(ADType(rawValue: structure.type), structure.body) }
            if !report.contains(0) { #expect(report.starts(with: composer.bytes)) }
            #expect(structures(of: composer.bytes).all == all)
        }
    }

    @Test func uuidsAsText() throws {
        let long = "12345678-9ABC-DEF0-1234-56789ABCDEF0"
        #expect(BluetoothUUID("feaa") == .eddystone)
        #expect(BluetoothUUID("0000FEAA") == .eddystone)
        #expect(BluetoothUUID("0000FEAA-0000-1000-8000-00805F9B34FB") == .eddystone)
        #expect(BluetoothUUID.eddystone.description == "FEAA")
        #expect(BluetoothUUID(long)?.description == long)
        #expect(BluetoothUUID("12345678")?.short == nil)
        #expect(BluetoothUUID("12345678")?.description == "12345678-0000-1000-8000-00805F9B34FB")
        for wrong in ["", "feaag", "+eaa", "fea", "12345678-9abcdef0-1234-5678-9abcdef0", "fe-aa", "ｆeaa"] {
            #expect(BluetoothUUID(wrong) == nil, "\(wrong)")
        }
    }
}
