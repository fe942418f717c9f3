/// ChaCha20's stream of bytes, its own inverse. Reference: RFC 8439, sections 2.3 and 2.4; vectors in
/// `ChaCha20Tests`.
package enum ChaCha20 {
    /// Precondition: a key of 32 bytes, a nonce of 12.
    ///
    /// - Parameter counter: the counter of the first block.
    package static func xor(_ bytes: [UInt8], key: [UInt8], nonce: [UInt8], counter: UInt32) -> [UInt8] {
        precondition(key.count == 32 && nonce.count == 12, "ChaCha20 has a key of 32 bytes, a nonce of 12")
        var state: [UInt32] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]
        state += words(key) + [counter] + words(nonce)
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 64) {
            let stream = block(state)
            for (byte, mask) in zip(bytes[start...], stream) { output.append(byte ^ mask) }
            state[12] &+= 1
        }
        return output
    }

    /// Returns words of four bytes each, the lowest first.
    private static func words(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count, by: 4).map { i in
            bytes[i..<i + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
    }

    /// Returns a block of the stream: `[16]` → `[64]`.
    private static func block(_ state: [UInt32]) -> [UInt8] {
        var x = state
        for _ in 0..<10 {
            for column in 0..<4 { quarterRound(&x, column, column + 4, column + 8, column + 12) }
            for i in 0..<4 { quarterRound(&x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) }
        }
        return zip(x, state).flatMap { mixed, first in
            let word = mixed &+ first
            return stride(from: UInt32(0), through: 24, by: 8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    private static func quarterRound(_ x: inout [UInt32], _ a: Int, _ b: Int, _ c: Int, _ d: Int) {
        func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
        x[a] &+= x[b]
        x[d] = turned(x[d] ^ x[a], 16)
        x[c] &+= x[d]
        x[b] = turned(x[b] ^ x[c], 12)
        x[a] &+= x[b]
        x[d] = turned(x[d] ^ x[a], 8)
        x[c] &+= x[d]
        x[b] = turned(x[b] ^ x[c], 7)
    }
}
