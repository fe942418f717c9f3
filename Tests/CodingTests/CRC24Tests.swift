import Coding
import Testing

@Suite struct CRC24Tests {
    @Test func catalogueCheckValue() {
        #expect(CRC24.checksum(ofBits: BitString.bits(of: "123456789".utf8)) == 0xCDE703)
    }

    @Test func bytesSurviveBits() {
        let bytes: [UInt8] = [0x80, 0x01, 0xFF, 0x5A]
        #expect(BitString.bits(of: bytes).prefix(9) == [1, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(BitString.bytes(of: BitString.bits(of: bytes)) == bytes)
        #expect(BitString.bits(of: 0b101, count: 4) == [0, 1, 0, 1])
    }
}
