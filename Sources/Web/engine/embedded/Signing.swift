// A replacement for NearbyOffline's `Signing`: a page has no keys to sign with and trusts none, so no value
// of these types is ever created.

/// The private key with which a publisher signs.
public struct PublisherKey: Sendable {
    private init() {}

    func sign(_ bytes: [UInt8]) -> [UInt8]? { nil }
}

/// The public key of a publisher whose signature is trusted.
public struct Publisher: Sendable, Hashable {
    private init() {}

    func hasSigned(_ message: [UInt8], _ signature: [UInt8]) -> Bool { false }
}
