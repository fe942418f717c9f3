import CryptoExtras

/// AES-128 for single blocks. Blocks are big-endian numbers.
///
/// Reference: FIPS 197. The time does not depend on key or block; BoringSSL provides the implementation.
package struct AESBlock: Sendable {
    static let keyByteCount = 16
    private let key: SymmetricKey

    /// Precondition: the key has 16 bytes.
    init(key: SymmetricKey) {
        precondition(key.bitCount == 8 * AESBlock.keyByteCount, "a key of 128 bits")
        self.key = key
    }

    /// Creates a cipher whose key is a block.
    package init(key: UInt128) {
        self.init(key: withUnsafeBytes(of: key.bigEndian) { SymmetricKey(data: $0) })
    }

    package func encrypt(_ block: UInt128) -> UInt128 {
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
