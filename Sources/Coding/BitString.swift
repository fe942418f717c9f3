/// Bits in the order of transmission: one 0 or 1 a byte, each byte's most significant bit first.
package enum BitString {
    /// Returns the bits of bytes. Shape: `[n]` bytes → `[8 n]` bits.
    package static func bits(of bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.flatMap { byte in (0..<8).map { (byte >> (7 - $0)) & 1 } }
    }

    /// Returns the `count` low bits of `value`, most significant first.
    package static func bits(of value: UInt32, count: Int) -> [UInt8] {
        (0..<count).map { UInt8((value >> UInt32(count - 1 - $0)) & 1) }
    }

    /// Returns the bytes of bits. Shape: `[8 n]` bits → `[n]` bytes. Opposite of ``bits(of:)``.
    @inlinable
    package static func bytes(of bits: some Collection<UInt8>) -> [UInt8] {
        precondition(bits.count % 8 == 0, "whole bytes only")
        var bytes = [UInt8](repeating: 0, count: bits.count / 8)
        var index = 0
        for bit in bits {
            bytes[index / 8] = bytes[index / 8] << 1 | (bit & 1)
            index += 1
        }
        return bytes
    }
}
