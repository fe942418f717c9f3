/// An event from a controller, as far as this host uses it (Core 5.4, volume 4, part E §7.7). Counterpart:
/// ``HCICommand``.
package enum HCIEvent: Sendable, Hashable {
    /// The answer to a command; `commandCount` is the number of commands that may be sent now.
    case commandComplete(HCICommand.Code, commandCount: Int, returned: [UInt8])
    case commandStatus(HCICommand.Code, commandCount: Int, status: UInt8)
    case hardwareError(UInt8)
    case reports([AdvertisingReport])
    case extendedReports([ExtendedReport])
    case advertisingEnded(handle: UInt8)
    case other

    /// Parses an event's bytes without H4's type. `nil` if the bytes contradict their own lengths. Of several
    /// reports, the complete ones are taken.
    package init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes[...])
        guard let code = reader.byte(), let count = reader.byte(), Int(count) == reader.rest.count else {
            return nil
        }
        switch code {
        case 0x0E:
            guard let commands = reader.byte(), let opcode = reader.uint16() else { return nil }
            self = .commandComplete(
                HCICommand.Code(rawValue: opcode), commandCount: Int(commands), returned: Array(reader.rest))
        case 0x0F:
            guard let status = reader.byte(), let commands = reader.byte(), let opcode = reader.uint16()
            else {
                return nil
            }
            self = .commandStatus(
                HCICommand.Code(rawValue: opcode), commandCount: Int(commands), status: status)
        case 0x10: self = .hardwareError(reader.byte() ?? 0)
        case 0x3E: self.init(lowEnergy: &reader)
        default: self = .other
        }
    }

    private init?(lowEnergy reader: inout ByteReader) {
        switch reader.byte() {
        case 0x02:
            guard let count = reader.byte() else { return nil }
            self = .reports(HCIEvent.all(count) { HCIEvent.report(&reader) })
        case 0x0D:
            guard let count = reader.byte() else { return nil }
            self = .extendedReports(HCIEvent.all(count) { HCIEvent.extendedReport(&reader) })
        case 0x12:
            guard reader.byte() != nil, let handle = reader.byte() else { return nil }
            self = .advertisingEnded(handle: handle)
        case nil: return nil
        default: self = .other
        }
    }

    /// Returns the first `count` reports, up to one that is incomplete.
    private static func all<Report>(_ count: UInt8, _ next: () -> Report?) -> [Report] {
        var reports: [Report] = []
        for _ in 0..<count {
            guard let report = next() else { break }
            reports.append(report)
        }
        return reports
    }

    /// Reads a report: type 1, address type 1, address 6, length 1, data, RSSI 1 bytes.
    private static func report(_ reader: inout ByteReader) -> AdvertisingReport? {
        guard reader.byte() != nil, let kind = reader.byte(), let address = reader.bytes(6),
            let count = reader.byte(),
            let data = reader.bytes(Int(count)), let rssi = reader.byte()
        else { return nil }
        return AdvertisingReport(
            RadioAddress(RadioAddress.Kind(rawValue: kind) ?? .anonymous, wire: address),
            rssiDBm: AdvertisingReport.rssi(rssi), data: Array(data))
    }

    /// Reads a report: type 2, address type 1, address 6, PHYs 2, set 1, power 1, RSSI 1, period 2, target
    /// address 1 + 6, length 1 bytes, data.
    private static func extendedReport(_ reader: inout ByteReader) -> ExtendedReport? {
        guard let type = reader.uint16(), let kind = reader.byte(), let address = reader.bytes(6),
            reader.bytes(2) != nil, let set = reader.byte(), reader.byte() != nil, let rssi = reader.byte(),
            reader.bytes(9) != nil, let count = reader.byte(), let data = reader.bytes(Int(count))
        else { return nil }
        let isLegacy = type & 0x10 != 0
        let report = AdvertisingReport(
            RadioAddress(RadioAddress.Kind(rawValue: kind) ?? .anonymous, wire: address),
            rssiDBm: AdvertisingReport.rssi(rssi), data: Array(data), setID: isLegacy ? nil : set)
        let status: ExtendedReport.Status
        switch type >> 5 & 3 {
        case 0: status = .complete
        case 1: status = .incomplete
        default: status = .truncated
        }
        return ExtendedReport(report, status, isLegacy: isLegacy)
    }
}
