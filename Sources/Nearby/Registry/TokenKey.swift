/// The key under which the tokens of one day are sealed: a permutation of 64-bit numbers that nobody can
/// tell from a random one without the key.
public struct TokenKey: Sendable {
    /// The day, counted from 1970 in UTC.
    public let day: Int
    let seal: @Sendable (UInt64) -> UInt64
    let open: @Sendable (UInt64) -> UInt64

    /// - Parameters:
    ///   - seal: the permutation; it must be cryptographically strong wherever strangers listen.
    ///   - open: its inverse.
    public init(
        day: Int, seal: @escaping @Sendable (UInt64) -> UInt64, open: @escaping @Sendable (UInt64) -> UInt64
    ) {
        (self.day, self.seal, self.open) = (day, seal, open)
    }
}

/// The number by which sealed tokens name their device. Only the registry sees it.
public struct TokenHandle: Sendable, Hashable {
    static let bitCount = 38
    /// The number, below 2³⁸.
    public let bits: UInt64

    /// Reads a number that a store kept; `nil` if it is no handle.
    public init?(bits: UInt64) {
        guard bits >> UInt64(TokenHandle.bitCount) == 0 else { return nil }
        self.bits = bits
    }

    /// Draws a handle.
    init(using random: inout some RandomNumberGenerator) {
        bits = random.next() >> UInt64(64 - TokenHandle.bitCount)
    }
}
