/// An encrypted ``EddystoneTelemetry`` for those who have the beacon's key: ``EphemeralIdentity`` seals and
/// opens it.
///
///     | 0x20 | version 1 | ciphertext 12 | salt 2 | tag 2 |
public struct EncryptedTelemetry: Hashable, Sendable {
    static let version: UInt8 = 1
    static let byteCount = 18
    static let ciphertextByteCount = 12
    static let tagByteCount = 2

    /// The ciphertext's 12 bytes, in the lower bytes of the number.
    let ciphertext: UInt128
    /// A random number, new in each frame; together with the rotation it is the nonce.
    public let salt: UInt16
    /// The tag that proves to the key's owner that the frame is genuine; one forgery in 65 536 passes.
    public let tag: UInt16

    /// Precondition: the ciphertext has 12 bytes.
    init(ciphertext: [UInt8], salt: UInt16, tag: UInt16) {
        precondition(ciphertext.count == EncryptedTelemetry.ciphertextByteCount)
        self.ciphertext = ciphertext.reduce(0) { $0 << 8 | UInt128($1) }
        (self.salt, self.tag) = (salt, tag)
    }

    init(_ bytes: Span<UInt8>) throws(BeaconRejection) {
        guard bytes.count == EncryptedTelemetry.byteCount else {
            throw .byteCount(
                .encryptedTelemetry, expected: [EncryptedTelemetry.byteCount], received: bytes.count)
        }
        ciphertext =
            UInt128(bytes.bigEndian(2, as: UInt64.self)) << 32 | UInt128(bytes.bigEndian(10, as: UInt32.self))
        salt = bytes.bigEndian(14, as: UInt16.self)
        tag = bytes.bigEndian(16, as: UInt16.self)
    }

    var ciphertextBytes: [UInt8] {
        Array(ciphertext.bigEndianBytes.suffix(EncryptedTelemetry.ciphertextByteCount))
    }

    /// The bytes of the service data after the UUID: 18 bytes.
    public var bytes: [UInt8] {
        [EddystoneTelemetry.frameType, EncryptedTelemetry.version] + ciphertextBytes + salt.bigEndianBytes
            + tag.bigEndianBytes
    }
}
