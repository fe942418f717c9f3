import Coding

/// The keys with which a project's devices seal for one epoch, as in NearbyOffline's `EpochKeys`, which
/// explains them; here without a library of ciphers. `OfflineTests` compare both.
///
///     K(purpose, epoch) = HKDF-SHA-256(key, salt: "nearby offline 1", info: purpose ‖ 0 ‖ epoch), 64 bytes
///     associated        = purpose ‖ 0 ‖ epoch ‖ "audio" ‖ 0 ‖ project's name
///     tag               = HMAC-SHA-256(K1, |associated| ‖ associated ‖ plaintext), its first bytes
///     sealed            = tag ‖ plaintext ⊕ ChaCha20(K2, nonce: tag ‖ zeros, counter 1)
struct OfflineKeys {
    enum Purpose: String {
        case token, frame

        /// The number of bytes in the tag.
        var byteCount: Int { self == .token ? 4 : 8 }
    }

    static let epochSeconds: UInt64 = 300

    let name: String
    let key: [UInt8]
    let epoch: UInt64

    func seal(_ plaintext: [UInt8], as purpose: Purpose) -> [UInt8] {
        let label = Array(purpose.rawValue.utf8) + [0] + highestFirst(epoch)
        let keys = HKDFSHA256.key(
            from: key, salt: Array("nearby offline 1".utf8), info: label, byteCount: 64)
        let associated = label + Array("audio".utf8) + [0] + Array(name.utf8)
        let tagged = highestFirst(UInt64(associated.count)) + associated + plaintext
        let tag = Array(HMACSHA256.code(for: tagged, key: Array(keys[..<32])).prefix(purpose.byteCount))
        let nonce = tag + [UInt8](repeating: 0, count: 12 - tag.count)
        return tag + ChaCha20.xor(plaintext, key: Array(keys[32...]), nonce: nonce, counter: 1)
    }
}

/// Returns a number's bytes, the highest first.
func highestFirst(_ number: some FixedWidthInteger) -> [UInt8] {
    stride(from: number.bitWidth - 8, through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: number >> $0)
    }
}
