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
        bits = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The bytes as a medium sends them, ``byteCount`` of them.
    public var bytes: [UInt8] {
        (0..<Token.byteCount).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
    }

    /// A prefix for logs: it is long enough to tell tokens apart, and too short to send one.
    public var prefix: String { String(description.prefix(4)) + "…" }
}

extension Token: LosslessStringConvertible {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// Parses a text, or returns `nil` unless ``description`` writes it.
    public init?(_ text: String) {
        let letters = Array(text)
        guard letters.count == 11 else { return nil }
        var bits: UInt64 = 0
        for (n, letter) in letters.enumerated() {
            guard let sextet = Token.alphabet.firstIndex(of: letter).map(UInt64.init) else { return nil }
            // The last character holds four bits and two zeros.
            if n == 10 && sextet & 3 != 0 { return nil }
            bits = n == 10 ? bits << 4 | sextet >> 2 : bits << 6 | sextet
        }
        self.init(bits: bits)
    }

    /// base64url without padding, 11 characters (RFC 4648 §5).
    public var description: String {
        // 64 bits are ten sextets and four bits, which two zeros fill up.
        let sextets = (0..<11).map { n in n < 10 ? bits >> (58 - 6 * n) & 63 : bits << 2 & 63 }
        return String(sextets.map { Token.alphabet[Int($0)] })
    }
}
