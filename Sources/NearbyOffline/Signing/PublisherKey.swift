import Crypto

/// What a publisher signs with: Ed25519 (RFC 8032).
public struct PublisherKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// A new one.
    public init() { key = Curve25519.Signing.PrivateKey() }

    /// Nil unless there are 32 bytes.
    public init?(bytes: [UInt8]) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes) else { return nil }
        self.key = key
    }

    /// To be kept secret.
    public var bytes: [UInt8] { Array(key.rawRepresentation) }
    /// To be given to those who are to trust it.
    public var publisher: Publisher { Publisher(key.publicKey) }

    func sign(_ bytes: [UInt8]) -> [UInt8]? { (try? key.signature(for: bytes)).map { Array($0) } }
}

/// Whose signature is trusted.
public struct Publisher: Sendable, Hashable {
    /// The public key, 32 bytes.
    public let bytes: [UInt8]

    init(_ key: Curve25519.Signing.PublicKey) { bytes = Array(key.rawRepresentation) }

    /// Nil unless they are a public key.
    public init?(bytes: [UInt8]) {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return nil }
        self.init(key)
    }

    func hasSigned(_ message: [UInt8], _ signature: [UInt8]) -> Bool {
        let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        return key?.isValidSignature(signature, for: message) ?? false
    }
}
