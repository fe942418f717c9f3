import BLEMedium
import Signal
import Testing

struct H4ReassemblerTests {
    private static let answer: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
    private static let packets: [HCIPacket] = [
        HCIPacket(.event, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]), HCIPacket(.acl, [1, 0, 3, 0, 7, 8, 9]),
        HCIPacket(.event, [0x3E, 0x02, 0x02, 0x00]), HCIPacket(.iso, [1, 0, 1, 0xC0, 5]),
        HCIPacket(.sco, [1, 0, 0]), HCIPacket(.command, [0x03, 0x0C, 0x00]),
    ]

    /// The packets are the same wherever the bytes are cut.
    @Test func cutsDoNotMatter() throws {
        let bytes = H4ReassemblerTests.packets.flatMap(\.h4)
        var random = SplitMix64(seed: 1)
        for _ in 0..<200 {
            var reassembler = H4Reassembler()
            var (packets, at) = ([HCIPacket](), 0)
            while at < bytes.count {
                let end = min(bytes.count, at + Int(random.next() % 9))
                packets += try reassembler.take(bytes[at..<end])
                at = end
            }
            #expect(packets == H4ReassemblerTests.packets)
            #expect(reassembler.pendingByteCount == 0)
        }
    }

    /// The rest of an earlier host's packets is dropped, whatever it looks like, also if it comes one byte at
    /// a time.
    @Test func beginsWithTheAnswerToReset() throws {
        let before: [UInt8] = [0x99, 0x04, 0x0E, 0x04, 0x01, 0x01, 0x10, 0x00, 0x04, 0x0E, 0x04]
        let bytes = before + H4ReassemblerTests.answer + HCIPacket(.event, [0x10, 0x01, 0x07]).h4
        var reassembler = H4Reassembler()
        var packets: [HCIPacket] = []
        for byte in bytes { packets += try reassembler.take([byte]) }
        #expect(packets.count == 2 && packets.first?.h4 == H4ReassemblerTests.answer)
        #expect(reassembler.droppedByteCount == before.count)
    }

    @Test func aWrongTypeIsSaidPlainly() throws {
        var reassembler = H4Reassembler(isInStep: true)
        #expect(
            throws: BLEError(
                .failing, "expected the type of an HCI packet, 01 to 05, not aa: is it H4, at this speed?")
        ) {
            _ = try reassembler.take([0x04, 0x10, 0x00, 0xAA, 0x00])
        }
    }

    /// Noise never fills memory while the beginning is looked for.
    @Test func noiseIsForgotten() throws {
        var random = SplitMix64(seed: 2)
        var reassembler = H4Reassembler()
        for _ in 0..<1000 {
            // Without 0x0C there is no answer to Reset.
            _ = try reassembler.take((0..<64).map { _ in UInt8(truncatingIfNeeded: random.next()) & 0xF0 })
            #expect(reassembler.pendingByteCount < 8)
        }
    }

    @Test func onePacketIsWholeOrNone() {
        #expect(HCIPacket(h4: [0x04, 0x10, 0x01, 0x07]) == HCIPacket(.event, [0x10, 0x01, 0x07]))
        for bytes: [UInt8] in [
            [], [0x04], [0x04, 0x10], [0x04, 0x10, 0x01], [0x04, 0x10, 0x01, 7, 7], [0x06, 0, 0],
        ] {
            #expect(HCIPacket(h4: bytes[...]) == nil)
        }
    }
}
