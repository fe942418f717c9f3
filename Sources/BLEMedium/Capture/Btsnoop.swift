/// A writer of HCI packets in a file format that btmon and Wireshark read.
///
///     "btsnoop\0" | version 1 | datalink 1002: H4
///     length | length kept | flags | packets lost | µs since the year 0 | packet with H4's type  each record
///
/// Numbers are big-endian. Reference: BlueZ, doc/btsnoop.txt. A second reader: `Tools/reference/btsnoop.py`.
package enum Btsnoop {
    private static let h4: UInt32 = 1002
    /// The microseconds from the year 0 to 1970 as the format counts them (twelve days more than there were).
    private static let microsecondsTo1970: UInt64 = 0x00DC_DDB3_0F2F_8000

    /// The header of a file.
    package static let header = Array("btsnoop\0".utf8) + big(UInt32(1)) + big(h4)

    /// Returns one more packet as a record of the file.
    package static func record(
        _ packet: HCIPacket, _ direction: HCIPacket.Direction, microsecondsSince1970: UInt64
    ) -> [UInt8] {
        let bytes = packet.h4
        let count = big(UInt32(bytes.count))
        let isData = packet.kind != .command && packet.kind != .event
        let flags: UInt32 = (direction == .fromController ? 1 : 0) | (isData ? 0 : 2)
        let time = big(microsecondsTo1970 &+ microsecondsSince1970)
        return count + count + big(flags) + big(UInt32(0)) + time + bytes
    }

    private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        stride(from: Number.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: number >> Number($0))
        }
    }
}
