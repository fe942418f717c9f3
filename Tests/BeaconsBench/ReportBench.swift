import Beacons
import CAllocationCount

/// A benchmark of reports as they come in a place full of devices, one after the other.
struct ReportBench {
    private static let rounds = 200_000

    /// The reports one after the other, as in a buffer.
    private let bytes: [UInt8]
    private let places: [Range<Int>]

    init() {
        let reports = [
            "0201060303aafe1516aafe00e7000102030405060708090a0b0c0d0e0f",
            "0201060303aafe0d16aafe30e70102030405060708",
            "0201060303aafe1116aafe20000bb81580000000010000000a",
            "02011a1aff4c000215000102030405060708090a0b0c0d0e0f00018002c5",
            "02011a1bff1801beac2f234454cf6d4a0fadf2f4911ba9ffa600010002c509",
            "02011a020a0c0bff4c0010050118d1b2c3aa",
            "1eff06000109200200000000000000000000000000000000000000000000",
            "02010611079ecadc240ee5a9e093f3a3b50100406e0809566976694c6162",
            "0303f3fe0f16f3fe4a0102030405060708090a0b0c",
            "0201060303aafe1216aafe21010b0ba919c03f800010fff003e800",
        ].map { text in
            let digits = text.compactMap(\.hexDigitValue)
            return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }
        bytes = reports.flatMap { $0 }
        var end = 0
        places = reports.map { report in
            end += report.count
            return end - report.count..<end
        }
    }

    func run() {
        let mine = BluetoothUUID(0xFEF3 as UInt16)
        measure("structures of a report") { report in
            var (reader, sum) = (Advertisement(report).structures, 0)
            while let structure = reader.next() {
                sum &+= Int(structure.type.rawValue) &+ structure.body.count
            }
            return sum
        }
        measure("data of one service in a report") { report in
            guard let data = Advertisement(report).serviceData(of: mine) else { return 0 }
            return data.count
        }
        measure("beacons in a report") { report in
            var (reader, sum) = (Advertisement(report).structures, 0)
            while let structure = reader.next() {
                if let beacon = try? Beacon(structure) { sum &+= beacon.referencePower?.atOneMeterDBm ?? 1 }
            }
            return sum
        }
    }

    private func measure(_ name: String, _ read: (Span<UInt8>) -> Int) {
        var sum = 0
        // This makes now what is made once, at first use.
        for place in places { sum &+= read(bytes.span.extracting(place)) }
        let before = nearby_allocation_count()
        let nanoseconds = BeaconsBench.nanoseconds(ReportBench.rounds * places.count) {
            let all = bytes.span
            for _ in 0..<ReportBench.rounds {
                for place in places { sum &+= read(all.extracting(place)) }
            }
        }
        let allocations = nearby_allocation_count() - before
        BeaconsBench.say(name, nanoseconds, "ns")
        BeaconsBench.say("\(name): memory asked for", Double(allocations), "times")
        // This keeps the compiler from removing the work.
        precondition(sum != 1)
    }
}
