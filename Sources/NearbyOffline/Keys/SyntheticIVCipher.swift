import Crypto
import Nearby

/// Deterministic authenticated encryption with a short tag, for frames of few bytes: the tag is the IV.
///
///     tag        = HMAC-SHA-256(K1, |associated| ‖ associated ‖ plaintext), its first `tagByteCount` bytes
///     ciphertext = plaintext ⊕ ChaCha20(K2, nonce: tag ‖ zeros)
///     sealed     = tag ‖ ciphertext
///
/// This is the SIV construction: a PRF and a cipher that takes an IV. Equal plaintexts give equal frames;
/// there is no nonce to repeat. For the bounds, see the README.
///
/// Reference: Rogaway and Shrimpton, 2006, "A provable-security treatment of the key-wrap problem", section
/// 5; RFC 2104; RFC 8439 § 2.4.
struct SyntheticIVCipher: Sendable {
    private let tagKey: SymmetricKey
    private let streamKey: SymmetricKey
    private let tagByteCount: Int

    /// - Parameters:
    ///   - key: 64 bytes, which contain both keys.
    ///   - tagByteCount: 1 to 12, at most the byte count of ChaCha20's nonce.
    init(key: [UInt8], tagByteCount: Int) {
        precondition(
            key.count == 64 && (1...12).contains(tagByteCount), "two keys, and a tag that fits the nonce")
        tagKey = SymmetricKey(data: key[..<32])
        streamKey = SymmetricKey(data: key[32...])
        self.tagByteCount = tagByteCount
    }

    func seal(_ plaintext: [UInt8], _ associated: [UInt8]) -> [UInt8] {
        let tag = self.tag(plaintext, associated)
        return tag + xor(plaintext, tag)
    }

    /// Opens sealed bytes, or returns `nil` unless they were sealed with this key and these associated bytes.
    func open(_ sealed: [UInt8], _ associated: [UInt8]) -> [UInt8]? {
        guard sealed.count > tagByteCount else { return nil }
        let tag = Array(sealed.prefix(tagByteCount))
        let plaintext = xor(Array(sealed.dropFirst(tagByteCount)), tag)
        // Compares all bytes, whichever differs.
        let difference = zip(tag, self.tag(plaintext, associated)).reduce(0) { $0 | ($1.0 ^ $1.1) }
        return difference == 0 ? plaintext : nil
    }

    private func tag(_ plaintext: [UInt8], _ associated: [UInt8]) -> [UInt8] {
        let input = UInt64(associated.count).bigEndianBytes + associated + plaintext
        return Array(HMAC<SHA256>.authenticationCode(for: input, using: tagKey).prefix(tagByteCount))
    }

    /// Encrypts or decrypts with ChaCha20, which is its own inverse. The tag that ChaChaPoly adds is not
    /// used.
    private func xor(_ bytes: [UInt8], _ tag: [UInt8]) -> [UInt8] {
        do {
            let nonce = try ChaChaPoly.Nonce(data: tag + [UInt8](repeating: 0, count: 12 - tag.count))
            return Array(try ChaChaPoly.seal(bytes, using: streamKey, nonce: nonce).ciphertext)
        } catch {
            preconditionFailure("the nonce has 12 bytes, and the text a few: \(error)")
        }
    }
}
