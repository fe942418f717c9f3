/// Authenticated encryption with a tag of any length up to 16 bytes: AES-128 in EAX mode.
///
///     tag        = OMAC⁰(nonce) ⊕ OMAC¹(associated) ⊕ OMAC²(ciphertext), its first bytes
///     ciphertext = plaintext ⊕ CTR(OMAC⁰(nonce))
///
/// OMACᵗ is the CMAC (NIST SP 800-38B) of t as a block, followed by the text.
///
/// Reference: Bellare, Rogaway and Wagner, 2004, "The EAX mode of operation"; `AESEAXTests` checks its
/// vectors.
struct AESEAX: Sendable {
    private let cipher: AESBlock
    private let lastWhole: UInt128
    private let lastPadded: UInt128

    init(_ cipher: AESBlock) {
        self.cipher = cipher
        lastWhole = AESEAX.doubled(cipher.encrypt(0))
        lastPadded = AESEAX.doubled(lastWhole)
    }

    /// Encrypts and authenticates. Precondition: `tagByteCount` is 1 to 16.
    func seal(
        _ plaintext: [UInt8], nonce: [UInt8], associated: [UInt8] = [], tagByteCount: Int
    ) -> (ciphertext: [UInt8], tag: [UInt8]) {
        precondition((1...16).contains(tagByteCount), "a tag of \(tagByteCount) bytes")
        let ciphertext = stream(plaintext, from: omac(0, nonce))
        let tag = omac(0, nonce) ^ omac(1, associated) ^ omac(2, ciphertext)
        return (ciphertext, Array(tag.bigEndianBytes.prefix(tagByteCount)))
    }

    /// Decrypts; `nil` unless the text was sealed with this key and nonce. The chance to accept a forgery is
    /// 256 to the power of minus the tag's bytes.
    func open(_ ciphertext: [UInt8], nonce: [UInt8], associated: [UInt8] = [], tag: [UInt8]) -> [UInt8]? {
        let start = omac(0, nonce)
        let expected = (start ^ omac(1, associated) ^ omac(2, ciphertext)).bigEndianBytes
        precondition((1...16).contains(tag.count), "a tag of \(tag.count) bytes")
        // All bytes are compared, whichever differs.
        let difference = zip(tag, expected).reduce(0) { $0 | ($1.0 ^ $1.1) }
        return difference == 0 ? stream(ciphertext, from: start) : nil
    }

    private func stream(_ text: [UInt8], from start: UInt128) -> [UInt8] {
        var (counter, result) = (start, [UInt8]())
        for first in stride(from: 0, to: text.count, by: 16) {
            result += zip(text[first...].prefix(16), cipher.encrypt(counter).bigEndianBytes).map { $0 ^ $1 }
            counter &+= 1
        }
        return result
    }

    private func omac(_ kind: UInt8, _ text: [UInt8]) -> UInt128 {
        // The first block is the kind; if the text is empty, it is the last block too.
        var (state, last) = (UInt128(0), UInt128(kind))
        for first in stride(from: 0, to: text.count, by: 16) {
            state = cipher.encrypt(state ^ last)
            let part = text[first...].prefix(16)
            last = part.reduce(0) { $0 << 8 | UInt128($1) }
            if part.count < 16 {
                last = (last << 8 | 0x80) << (8 * (15 - part.count))
                return cipher.encrypt(state ^ last ^ lastPadded)
            }
        }
        return cipher.encrypt(state ^ last ^ lastWhole)
    }

    /// Returns the block multiplied by x in GF(2¹²⁸), without a branch.
    private static func doubled(_ block: UInt128) -> UInt128 {
        block << 1 ^ (0 &- (block >> 127)) & 0x87
    }
}
