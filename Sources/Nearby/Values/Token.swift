/// What goes on air: eight random bytes that say nothing of who sends them; whoever issued them knows.
public struct Token: Sendable, Hashable {
    /// The bytes in the order they are sent, the first one highest.
    public let bits: UInt64

    /// On every medium; by that a frame is known to carry a token.
    public static let byteCount = 8

    /// As it came from elsewhere: whoever issues one draws it, with ``init(using:)``.
    public init(bits: UInt64) { self.bits = bits }

    /// - Parameter random: must be cryptographically strong wherever strangers listen.
    public init(using random: inout some RandomNumberGenerator) { bits = random.next() }

    /// Nil unless there are ``byteCount``.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Token.byteCount else { return nil }
        bits = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// As a medium sends them, ``byteCount`` of them.
    public var bytes: [UInt8] {
        (0..<Token.byteCount).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
    }

    /// For logs: enough to tell tokens apart, too little to send one.
    public var prefix: String { String(description.prefix(4)) + "…" }
}

extension Token: LosslessStringConvertible {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// Nil unless it is what ``description`` writes.
    public init?(_ text: String) {
        let letters = Array(text)
        guard letters.count == 11 else { return nil }
        var bits: UInt64 = 0
        for (n, letter) in letters.enumerated() {
            guard let sextet = Token.alphabet.firstIndex(of: letter).map(UInt64.init) else { return nil }
            // The last one holds four bits, and two zeros.
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
