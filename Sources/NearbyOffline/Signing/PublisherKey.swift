import Crypto

/// The private key with which a publisher signs: Ed25519 (RFC 8032).
public struct PublisherKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// Creates a new key.
    public init() { key = Curve25519.Signing.PrivateKey() }

    /// Creates a key from its bytes, or returns `nil` unless there are 32.
    public init?(bytes: [UInt8]) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes) else { return nil }
        self.key = key
    }

    /// The bytes of the private key, which must be kept secret.
    public var bytes: [UInt8] { Array(key.rawRepresentation) }
    /// The public key, for devices that are to trust this publisher.
    public var publisher: Publisher { Publisher(key.publicKey) }

    func sign(_ bytes: [UInt8]) -> [UInt8]? { (try? key.signature(for: bytes)).map { Array($0) } }
}

/// The public key of a publisher whose signature is trusted.
public struct Publisher: Sendable, Hashable {
    /// The bytes of the public key: 32.
    public let bytes: [UInt8]

    init(_ key: Curve25519.Signing.PublicKey) { bytes = Array(key.rawRepresentation) }

    /// Creates a publisher, or returns `nil` unless the bytes are a public key.
    public init?(bytes: [UInt8]) {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return nil }
        self.init(key)
    }

    func hasSigned(_ message: [UInt8], _ signature: [UInt8]) -> Bool {
        let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        return key?.isValidSignature(signature, for: message) ?? false
    }
}
