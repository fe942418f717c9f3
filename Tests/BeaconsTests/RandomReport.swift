import Signal

@testable import Beacons

/// Reports as a hostile device might send them, and a slow reader of them that shares no code with the fast
/// one.
enum RandomReport {
    private static let types: [UInt8] = [1, 2, 3, 6, 7, 9, 0x0A, 0x16, 0x16, 0x16, 0x20, 0x21, 0xFF, 0xFF]
    private static let starts: [[UInt8]] = [
        [0xAA, 0xFE], [0xAA, 0xFE, 0], [0xAA, 0xFE, 0x10], [0xAA, 0xFE, 0x20], [0xAA, 0xFE, 0x30],
        [0xAA, 0xFE, 0x21],
        [0x4C, 0, 2, 0x15], [0x18, 1, 0xBE, 0xAC], [],
    ]

    static func make(_ random: inout SplitMix64) -> [UInt8] {
        var report: [UInt8] = []
        if random.next() % 2 == 0 {
            return (0..<Int(random.next() % 64)).map { _ in UInt8(truncatingIfNeeded: random.next() % 40) }
        }
        while report.count < 40, random.next() % 6 != 0 {
            let start = starts[Int(random.next() % UInt64(starts.count))]
            let rest = (0..<Int(random.next() % 25)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            report +=
                [UInt8(1 + start.count + rest.count), types[Int(random.next() % UInt64(types.count))]] + start
                + rest
        }
        return random.next() % 2 == 0 ? report : report.dropLast(Int(random.next() % 5))
    }

    static func structures(of report: [UInt8]) -> (all: [Structure], isTruncated: Bool) {
        var (rest, all) = (report[...], [Structure]())
        while let length = rest.popFirst() {
            if length == 0 { continue }
            let structure = rest.prefix(Int(length))
            guard structure.count == Int(length) else { return (all, true) }
            rest = rest.dropFirst(Int(length))
            all.append(Structure(type: structure[structure.startIndex], body: Array(structure.dropFirst())))
        }
        return (all, false)
    }
}
