import BLEMedium
import TestSupport
import Testing

/// Tests of captures, byte for byte as BlueZ's doc/btsnoop.txt defines them. `Tools/reference/btsnoop.py`
/// reads whole files in `BLECommandTests`.
@Suite struct BtsnoopTests {
    @Test func theHeader() {
        #expect(Btsnoop.header == Array(hexadecimal: "6274736e6f6f700000000001000003ea"))
    }

    /// The packets are Reset and its answer at the beginning of 2000.
    @Test(arguments: [
        (
            HCIPacket.Kind.command, "030c00", HCIPacket.Direction.toController, "00000004", "00000002",
            "01030c00"
        ),
        (.event, "0e0401030c00", .fromController, "00000007", "00000003", "040e0401030c00"),
        (.acl, "0100020041ff", .toController, "00000007", "00000000", "020100020041ff"),
        (.acl, "0100020041ff", .fromController, "00000007", "00000001", "020100020041ff"),
    ])
    func aRecord(
        _ kind: HCIPacket.Kind, _ body: String, _ direction: HCIPacket.Direction, _ count: String,
        _ flags: String,
        _ h4: String
    ) throws {
        let packet = HCIPacket(kind, try #require(Array(hexadecimal: body)))
        let record = Btsnoop.record(packet, direction, microsecondsSince1970: 946_684_800_000_000)
        #expect(record == Array(hexadecimal: count + count + flags + "00000000" + "00e03ab44a676000" + h4))
    }
}
