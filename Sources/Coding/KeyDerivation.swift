/// A keyed hash: HMAC-SHA-256. Reference: RFC 2104; vectors of RFC 4231 in `KeyDerivationTests`.
package enum HMACSHA256 {
    /// Returns the code of bytes. `[32]`
    package static func code(for bytes: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        let short = key.count > SHA256.blockByteCount ? SHA256.hash(key) : key
        let block = short + [UInt8](repeating: 0, count: SHA256.blockByteCount - short.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(bytes)
        return SHA256.hash(block.map { $0 ^ 0x5c } + inner.finish())
    }
}

/// Key derivation: HKDF-SHA-256. Reference: RFC 5869; its vectors in `KeyDerivationTests`.
package enum HKDFSHA256 {
    /// Returns a derived key. Shape: → `[byteCount]`. Precondition: at most 255 · 32 bytes.
    package static func key(
        from key: [UInt8], salt: [UInt8], info: [UInt8], byteCount: Int
    ) -> [UInt8] {
        precondition((0...255 * SHA256.digestByteCount).contains(byteCount), "RFC 5869: L <= 255 * HashLen")
        let extracted = HMACSHA256.code(for: key, key: salt)
        var (output, last) = ([UInt8](), [UInt8]())
        var counter: UInt8 = 0
        while output.count < byteCount {
            counter += 1
            last = HMACSHA256.code(for: last + info + [counter], key: extracted)
            output += last
        }
        return Array(output.prefix(byteCount))
    }
}
