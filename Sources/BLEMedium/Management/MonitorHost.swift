import Nearby

/// A host that reads what an adapter reports to others, and requests nothing of it. It receives what the
/// others scan for. A value: ``LEHost``.
package struct MonitorHost: LEHost {
    private static let event: UInt16 = 3

    /// The kinds of packets between an adapter and its host, by the monitor's number (BlueZ, monitor/bt.h).
    private static let kinds: [UInt16: (HCIPacket.Kind, HCIPacket.Direction)] = [
        2: (.command, .toController), event: (.event, .fromController), 4: (.acl, .toController),
        5: (.acl, .fromController), 6: (.sco, .toController), 7: (.sco, .fromController),
        18: (.iso, .toController), 19: (.iso, .fromController),
    ]

    /// Returns a packet of this adapter; `nil` for the monitor's other messages.
    static func packet(
        _ bytes: [UInt8], adapter: UInt16
    ) -> (packet: HCIPacket, direction: HCIPacket.Direction)? {
        var reader = ByteReader(bytes[...])
        guard let number = reader.uint16(), let index = reader.uint16(), let count = reader.uint16(),
            index == adapter, Int(count) == reader.rest.count, let (kind, direction) = kinds[number]
        else { return nil }
        return (HCIPacket(kind, Array(reader.rest)), direction)
    }

    private let adapter: UInt16
    private var reassembly = ExtendedReassembly()
    private var hasBegun = false
    package private(set) var isStopped = false
    package let stopCommands: [[UInt8]] = []
    package let nextDeadline: Instant? = nil

    package init(adapter: UInt16) { self.adapter = adapter }

    package mutating func carryOut(_ order: RadioOrder, now: Instant) -> [HostAction] {
        defer { hasBegun = true }
        return hasBegun ? [] : [.found(nil, .scan, "hears what others scan for")]
    }

    package mutating func received(_ bytes: [UInt8], now: Instant) -> [HostAction] {
        var reader = ByteReader(bytes[...])
        guard let kind = reader.uint16(), let index = reader.uint16(), let count = reader.uint16(),
            kind == MonitorHost.event, index == adapter, Int(count) == reader.rest.count
        else { return [] }
        switch HCIEvent(Array(reader.rest)) {
        case .reports(let reports)?: return reports.map { .heard($0) }
        case .extendedReports(let pieces)?:
            return pieces.compactMap { reassembly.take($0, now: now).map { .heard($0) } }
        default: return []
        }
    }

    package mutating func advance(to now: Instant) -> [HostAction] { [] }

    package mutating func stop(now: Instant) -> [HostAction] {
        isStopped = true
        return []
    }
}
