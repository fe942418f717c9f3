import CryptoExtras

/// The secret that a beacon with changing identifiers shares with its resolvers: a key, and the rotation
/// exponent.
///
///     temporary key = AES(key, 0¹¹ ‖ 0xFF ‖ 0 0 ‖ time >> 16, 2 bytes)
///     identifier    = AES(temporary key, 0¹¹ ‖ K ‖ time, lower K bits cleared, 4 bytes), its first 8 bytes
///
/// The time is the beacon's own, in seconds from any origin. Two identities made of equal keys and exponents
/// are equal.
///
/// Reference: github.com/google/eddystone, eddystone-eid/eid-computation.md; second implementation:
/// `Tools/reference/beacons.py`.
public struct EphemeralIdentity: Sendable, Hashable {
    /// The range of K: an identifier is kept for 2ᴷ seconds.
    public static let rotationExponents = 0...15
    /// The number of bytes of a key, as in AES-128.
    public static let keyByteCount = AESBlock.keyByteCount

    /// The exponent K, one of ``rotationExponents``: an identifier is kept for 2ᴷ seconds.
    public let rotationExponent: Int
    private let key: SymmetricKey

    /// `nil` unless the key has ``keyByteCount`` bytes and the exponent is one of ``rotationExponents``.
    public init?(key: some Sequence<UInt8>, rotationExponent: Int) {
        let key = SymmetricKey(data: Array(key))
        guard key.bitCount == 8 * EphemeralIdentity.keyByteCount else { return nil }
        self.init(key: key, rotationExponent: rotationExponent)
    }

    /// `nil` unless the key has ``keyByteCount`` bytes and the exponent is one of ``rotationExponents``.
    init?(key: SymmetricKey, rotationExponent: Int) {
        guard EphemeralIdentity.rotationExponents.contains(rotationExponent),
            key.bitCount == 8 * EphemeralIdentity.keyByteCount
        else { return nil }
        (self.key, self.rotationExponent) = (key, rotationExponent)
    }

    /// The secret key: everyone who has it recognizes the beacon, in the past and in the future.
    public var keyBytes: [UInt8] { key.withUnsafeBytes { Array($0) } }

    /// Returns the beacon's identifier at a time of its own clock.
    public func identifier(atSeconds seconds: UInt32) -> EphemeralIdentifier {
        identifier(atSeconds: seconds, with: temporaryKey(atSeconds: seconds))
    }

    /// Returns the temporary key, which stays the same for 2¹⁶ seconds.
    func temporaryKey(atSeconds seconds: UInt32) -> AESBlock {
        AESBlock(key: AESBlock(key: key).encrypt(0xFF << 32 | UInt128(seconds >> 16)))
    }

    func identifier(atSeconds seconds: UInt32, with temporaryKey: AESBlock) -> EphemeralIdentifier {
        let start = rotationStart(seconds)
        let block = temporaryKey.encrypt(UInt128(rotationExponent) << 32 | UInt128(start))
        return EphemeralIdentifier(rawValue: UInt64(truncatingIfNeeded: block >> 64))
    }

    private func rotationStart(_ seconds: UInt32) -> UInt32 {
        (seconds >> UInt32(rotationExponent)) << UInt32(rotationExponent)
    }

    public static func == (one: EphemeralIdentity, other: EphemeralIdentity) -> Bool {
        // The comparison of the keys takes a time that does not depend on them.
        one.rotationExponent == other.rotationExponent && one.key == other.key
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(rotationExponent)
        key.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension EphemeralIdentity {
    /// Encrypts telemetry for those who have the key.
    ///
    /// - Parameters:
    ///   - seconds: the beacon's time.
    ///   - salt: a new random number each time; together with the rotation it is the nonce.
    public func seal(_ telemetry: EddystoneTelemetry, atSeconds seconds: UInt32, salt: UInt16)
        -> EncryptedTelemetry
    {
        let sealed = AESEAX(AESBlock(key: key)).seal(
            telemetry.fields, nonce: nonce(seconds, salt), tagByteCount: EncryptedTelemetry.tagByteCount)
        return EncryptedTelemetry(
            ciphertext: sealed.ciphertext, salt: salt, tag: sealed.tag.span.bigEndian(0, as: UInt16.self))
    }

    /// Decrypts telemetry; `nil` unless this beacon sealed it in that rotation. The tag is short: one in 65
    /// 536 others opens too, as nonsense. So find the beacon by its identifier first.
    public func open(_ sealed: EncryptedTelemetry, atSeconds seconds: UInt32) -> EddystoneTelemetry? {
        AESEAX(AESBlock(key: key)).open(
            sealed.ciphertextBytes, nonce: nonce(seconds, sealed.salt), tag: sealed.tag.bigEndianBytes
        ).map { EddystoneTelemetry(fields: $0.span) }
    }

    private func nonce(_ seconds: UInt32, _ salt: UInt16) -> [UInt8] {
        rotationStart(seconds).bigEndianBytes + salt.bigEndianBytes
    }
}
