import Beacons
import Nearby

/// A permutation of 64-bit numbers under a key of 128 bits: a balanced Feistel network whose round function
/// is AES-128. From six rounds on, nobody can tell it from a random permutation by fewer than some 2³²
/// numbers of his choice; it has eight.
///
///     left │ right   ──→   right │ left ⊕ AES(round, right)        eight times
///
/// Reference: J. Patarin, "Security of random Feistel schemes with 5 or more rounds", CRYPTO 2004; NIST
/// SP 800-38G §4.1, the structure.
struct TokenCipher: Sendable {
    static let keyByteCount = 16
    private static let rounds: ClosedRange<UInt32> = 0...7

    private let block: AESBlock

    /// - Parameter key: ``keyByteCount`` random bytes.
    init(key: UInt128) { block = AESBlock(key: key) }

    func seal(_ number: UInt64) -> UInt64 {
        var (left, right) = TokenCipher.halves(number)
        for round in TokenCipher.rounds { (left, right) = (right, left ^ mix(round, right)) }
        return UInt64(left) << 32 | UInt64(right)
    }

    func open(_ number: UInt64) -> UInt64 {
        var (left, right) = TokenCipher.halves(number)
        for round in TokenCipher.rounds.reversed() { (left, right) = (right ^ mix(round, left), left) }
        return UInt64(left) << 32 | UInt64(right)
    }

    private static func halves(_ number: UInt64) -> (UInt32, UInt32) {
        (UInt32(number >> 32), UInt32(truncatingIfNeeded: number))
    }

    /// Returns the first 32 bits of the block that has the round and the half at its end, encrypted.
    private func mix(_ round: UInt32, _ half: UInt32) -> UInt32 {
        UInt32(block.encrypt(UInt128(round) << 32 | UInt128(half)) >> 96)
    }
}

extension TokenKey {
    /// - Parameter bytes: 16 bytes, as a store keeps them; `nil` if there are not so many.
    package init?(day: Int, bytes: [UInt8]) {
        guard bytes.count == TokenCipher.keyByteCount else { return nil }
        let cipher = TokenCipher(key: bytes.reduce(0) { $0 << 8 | UInt128($1) })
        self.init(day: day, seal: cipher.seal, open: cipher.open)
    }
}
