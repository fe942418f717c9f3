import CryptoExtras

/// AES-128 of one block. Blocks are numbers of which the highest byte comes first.
///
/// Reference: FIPS 197. In time that does not depend on key or block, as BoringSSL does it.
struct AESBlock: Sendable {
    static let keyByteCount = 16
    private let key: SymmetricKey

    /// Precondition: 16 bytes.
    init(key: SymmetricKey) {
        precondition(key.bitCount == 8 * AESBlock.keyByteCount, "a key of 128 bits")
        self.key = key
    }

    /// A block as the next key.
    init(key: UInt128) {
        self.init(key: withUnsafeBytes(of: key.bigEndian) { SymmetricKey(data: $0) })
    }

    func encrypt(_ block: UInt128) -> UInt128 {
        var block = block.bigEndian
        withUnsafeMutableBytes(of: &block) { bytes in
            var bytes = bytes
            do {
                try AES.permute(&bytes, key: key)
            } catch {
                preconditionFailure("16 bytes of key and of block: \(error)")
            }
        }
        return UInt128(bigEndian: block)
    }
}
