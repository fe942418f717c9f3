// What NearbyOffline uses of swift-crypto, for Embedded Swift, which cannot have that: the same names over Coding's own. Vectors of
// the algorithms are in `CodingTests`; `NearbyWebTests` hold both builds to one another.
import Coding

/// A hash to name as a parameter; nothing is hashed by it alone.
public enum SHA256 {}

/// Bytes that a cipher or a hash is keyed with.
public struct SymmetricKey: Sendable {
    let bytes: [UInt8]

    public init(data: some Sequence<UInt8>) { bytes = Array(data) }

    public func withUnsafeBytes<Result>(_ body: ([UInt8]) -> Result) -> Result { body(bytes) }
}

/// RFC 2104, with SHA-256.
public enum HMAC<Hash> {
    public static func authenticationCode(for bytes: [UInt8], using key: SymmetricKey) -> [UInt8] {
        HMACSHA256.code(for: bytes, key: key.bytes)
    }
}

/// RFC 5869, with SHA-256.
public enum HKDF<Hash> {
    public static func deriveKey(
        inputKeyMaterial: SymmetricKey, salt: [UInt8], info: [UInt8], outputByteCount: Int
    ) -> SymmetricKey {
        SymmetricKey(
            data: HKDFSHA256.key(
                from: inputKeyMaterial.bytes, salt: salt, info: info, byteCount: outputByteCount))
    }
}

/// The cipher of RFC 8439's construction, without its tag, which NearbyOffline does not use.
public enum ChaChaPoly {
    /// It is no nonce.
    public struct WrongSize: Error {}

    public struct Nonce: Sendable {
        let bytes: [UInt8]

        public init(data: [UInt8]) throws(WrongSize) {
            guard data.count == 12 else { throw WrongSize() }
            bytes = data
        }
    }

    public struct SealedBox: Sendable {
        public let ciphertext: [UInt8]
    }

    public static func seal(_ bytes: [UInt8], using key: SymmetricKey, nonce: Nonce) throws(WrongSize)
        -> SealedBox
    {
        guard key.bytes.count == 32 else { throw WrongSize() }
        return SealedBox(ciphertext: ChaCha20.xor(bytes, key: key.bytes, nonce: nonce.bytes, counter: 1))
    }
}
