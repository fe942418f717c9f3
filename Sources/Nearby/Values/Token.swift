/// A token that goes on air: eight random bytes that reveal nothing about the sender; only its issuer knows
/// the sender.
public struct Token: Sendable, Hashable {
    /// The bytes in the order in which they are sent, the first one highest.
    public let bits: UInt64

    /// The byte count on every medium. By it a receiver knows that a frame carries a token.
    public static let byteCount = 8

    /// Creates a token that came from elsewhere. An issuer draws a new one with ``init(using:)``.
    public init(bits: UInt64) { self.bits = bits }

    /// - Parameter random: a source that must be cryptographically strong wherever strangers listen.
    public init(using random: inout some RandomNumberGenerator) { bits = random.next() }

    /// Reads a token, or returns `nil` unless there are ``byteCount`` bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Token.byteCount else { return nil }
        bits = bytes.bigEndianNumber
    }

    /// The bytes as a medium sends them, ``byteCount`` of them.
    public var bytes: [UInt8] { bits.bigEndianBytes }

    /// A prefix for logs: it is long enough to tell tokens apart, and too short to send one.
    public var prefix: String { String(description.prefix(4)) + "…" }
}

extension Token: LosslessStringConvertible {
    /// Parses a text, or returns `nil` unless ``description`` writes it.
    public init?(_ text: String) {
        guard text.utf8.count == 11, let bytes = Base64.bytes(ofURLText: text) else { return nil }
        self.init(bytes: bytes)
    }

    /// base64url without padding, 11 characters (RFC 4648 §5).
    public var description: String { withUnsafeBytes(of: bits.bigEndian) { Base64.urlText($0) } }
}
