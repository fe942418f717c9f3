/// CRC-24/LTE-A: poly 0x864CFB, init 0, no reflection, no final XOR.
///
/// Reference: 3GPP TS 36.212 §5.1.1; RevEng catalogue, check value 0xCDE703.
package enum CRC24 {
    /// Returns the checksum of bits, one a byte, most significant first, as the modem stores them.
    package static func checksum(ofBits bits: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var register: UInt32 = 0
        for bit in bits {
            let feedback = ((register >> 23) ^ UInt32(bit)) & 1
            register = ((register << 1) & 0xFF_FFFF) ^ (0x86_4CFB & (0 &- feedback))
        }
        return register
    }

    package static func checksum(ofBits bits: [UInt8]) -> UInt32 {
        bits.withUnsafeBufferPointer { checksum(ofBits: $0) }
    }
}
