import CryptoExtras

/// An agreement between a beacon and its resolver on one key that is never sent: each keeps a private key,
/// and both know both public keys.
///
///     key = HKDF-SHA-256(X25519(private, the other's public), salt, info: none), 16 bytes
///     salt = resolver's public ‖ beacon's public
///
/// Reference: eid-computation.md, see ``EphemeralIdentity``; RFC 7748; RFC 5869.
public struct EphemeralKeyAgreement: Sendable {
    /// The number of bytes of private and public keys.
    public static let keyByteCount = 32

    private let key: Curve25519.KeyAgreement.PrivateKey

    /// Creates a new private key.
    public init() { key = Curve25519.KeyAgreement.PrivateKey() }

    /// `nil` unless there are ``keyByteCount`` bytes.
    public init?(privateKey bytes: [UInt8]) {
        guard bytes.count == EphemeralKeyAgreement.keyByteCount,
            let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
        else { return nil }
        self.key = key
    }

    /// The private key, which must be kept secret.
    public var privateKey: [UInt8] { Array(key.rawRepresentation) }
    /// The public key, which is for the other party.
    public var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    /// Returns the identity at the beacon. Throws ``EphemeralKeyProblem``.
    public func identity(
        withResolver publicKey: [UInt8], rotationExponent: Int
    ) throws(EphemeralKeyProblem) -> EphemeralIdentity {
        try identity(with: publicKey, salt: publicKey + self.publicKey, rotationExponent)
    }

    /// Returns the identity at the resolver. Throws ``EphemeralKeyProblem``.
    public func identity(
        withBeacon publicKey: [UInt8], rotationExponent: Int
    ) throws(EphemeralKeyProblem) -> EphemeralIdentity {
        try identity(with: publicKey, salt: self.publicKey + publicKey, rotationExponent)
    }

    private func identity(
        with publicKey: [UInt8], salt: [UInt8], _ rotationExponent: Int
    ) throws(EphemeralKeyProblem) -> EphemeralIdentity {
        guard publicKey.count == EphemeralKeyAgreement.keyByteCount,
            let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)
        else { throw .byteCount(publicKey.count) }
        // A point of small order gives zero with any private key, so everybody would know the result.
        // BoringSSL refuses it too.
        guard let shared = try? key.sharedSecretFromKeyAgreement(with: other),
            shared.withUnsafeBytes({ $0.reduce(0, |) }) != 0
        else { throw .zeroSecret }
        let derived = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: salt, sharedInfo: [UInt8](),
            outputByteCount: EphemeralIdentity.keyByteCount)
        guard let identity = EphemeralIdentity(key: derived, rotationExponent: rotationExponent) else {
            throw .rotationExponent(rotationExponent)
        }
        return identity
    }
}

/// The reason why two keys give no identity.
public enum EphemeralKeyProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The other's public key has this number of bytes, or is invalid; ``EphemeralKeyAgreement/keyByteCount``
    /// is right.
    case byteCount(Int)
    /// The other's public key gives a secret of zeros with every private key, which everybody knows.
    case zeroSecret
    /// The exponent is not one of ``EphemeralIdentity/rotationExponents``.
    case rotationExponent(Int)

    public var description: String {
        switch self {
        case .byteCount(let count): "a public key of 32 bytes was expected, \(count) came"
        case .zeroSecret: "the other's public key leads to a secret that everybody knows: do not trust it"
        case .rotationExponent(let exponent):
            "a rotation exponent from 0 to 15 was expected, \(exponent) came"
        }
    }
}
