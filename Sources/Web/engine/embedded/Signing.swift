// In place of NearbyOffline's `Signing`: a page has no keys to sign with, and none that it trusts, so no value of these is ever made.

/// What a publisher signs with.
public struct PublisherKey: Sendable {
    private init() {}

    func sign(_ bytes: [UInt8]) -> [UInt8]? { nil }
}

/// Whose signature is trusted.
public struct Publisher: Sendable, Hashable {
    private init() {}

    func hasSigned(_ message: [UInt8], _ signature: [UInt8]) -> Bool { false }
}
