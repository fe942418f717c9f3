// The part of swift-crypto that NearbyOffline uses, for Embedded Swift, which does not support swift-crypto:
// the same names over Coding's own functions. `CodingTests` contain vectors of the algorithms;
// `NearbyWebTests` compare both builds.
import Coding

/// The name of a hash function as a generic parameter. It has no functions of its own.
package enum SHA256 {}

/// The key of a cipher or a hash.
package struct SymmetricKey: Sendable {
    let bytes: [UInt8]

    package init(data: some Sequence<UInt8>) { bytes = Array(data) }

    package func withUnsafeBytes<Result>(_ body: ([UInt8]) -> Result) -> Result { body(bytes) }
}

/// HMAC (RFC 2104) with SHA-256.
package enum HMAC<Hash> {
    package static func authenticationCode(for bytes: [UInt8], using key: SymmetricKey) -> [UInt8] {
        HMACSHA256.code(for: bytes, key: key.bytes)
    }
}

/// HKDF (RFC 5869) with SHA-256.
package enum HKDF<Hash> {
    package static func deriveKey(
        inputKeyMaterial: SymmetricKey, salt: [UInt8], info: [UInt8], outputByteCount: Int
    ) -> SymmetricKey {
        SymmetricKey(
            data: HKDFSHA256.key(
                from: inputKeyMaterial.bytes, salt: salt, info: info, byteCount: outputByteCount))
    }
}

/// The cipher of RFC 8439's construction, without the tag, which NearbyOffline does not use.
package enum ChaChaPoly {
    /// An error of a nonce or a key with a wrong number of bytes.
    package struct WrongSize: Error {}

    package struct Nonce: Sendable {
        let bytes: [UInt8]

        package init(data: [UInt8]) throws(WrongSize) {
            guard data.count == 12 else { throw WrongSize() }
            bytes = data
        }
    }

    package struct SealedBox: Sendable {
        package let ciphertext: [UInt8]
    }

    package static func seal(_ bytes: [UInt8], using key: SymmetricKey, nonce: Nonce) throws(WrongSize)
        -> SealedBox
    {
        guard key.bytes.count == 32 else { throw WrongSize() }
        return SealedBox(ciphertext: ChaCha20.xor(bytes, key: key.bytes, nonce: nonce.bytes, counter: 1))
    }
}
