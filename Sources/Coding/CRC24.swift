/// CRC-24/LTE-A: poly 0x864CFB, init 0, no reflection, no final XOR.
///
/// Reference: 3GPP TS 36.212 §5.1.1; RevEng catalogue, check value 0xCDE703.
public enum CRC24 {
    /// Runs over bits, most significant first, as the modem has them; a frame has at most 256.
    public static func checksum(ofBits bits: some Sequence<UInt8>) -> UInt32 {
        var register: UInt32 = 0
        for bit in bits {
            let feedback = ((register >> 23) ^ UInt32(bit)) & 1
            register = (register << 1) & 0xFF_FFFF
            if feedback == 1 { register ^= 0x86_4CFB }
        }
        return register
    }
}
