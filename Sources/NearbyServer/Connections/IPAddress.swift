import NIOCore

/// An IPv4 or IPv6 address without its port. An IPv4 address is kept in its IPv4-mapped form (RFC 4291 §2.5.5.2), so that both
/// spellings of one address are equal.
struct IPAddress: Hashable, Sendable {
    /// The first and the last eight bytes, big-endian.
    let high: UInt64
    let low: UInt64

    private static let mappedPrefix: UInt64 = 0xffff_0000_0000

    /// Whether this is an IPv4 address, mapped or not.
    var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

    /// - Parameter text: `192.0.2.1`, `2001:db8::1` or `::ffff:192.0.2.1`; nil for anything else.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 45, let address = try? SocketAddress(ipAddress: String(text), port: 0) else {
            return nil
        }
        self.init(address)
    }

    /// Nil for the address of a Unix socket.
    init?(_ address: SocketAddress) {
        switch address {
        case .v4(let v4):
            high = 0
            low = IPAddress.mappedPrefix | UInt64(UInt32(bigEndian: v4.address.sin_addr.s_addr))
        case .v6(let v6):
            var bytes = v6.address.sin6_addr
            (high, low) = withUnsafeBytes(of: &bytes) {
                (
                    UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
        case .unixDomainSocket: return nil
        }
    }

    private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// The first `length` bits of the address, the others 0.
    ///
    /// - Parameter length: 0 to 32 for an IPv4 address, to 128 for an IPv6 address.
    func prefix(_ length: Int) -> IPAddress {
        let bits = isIPv4 ? 96 + length : length
        return IPAddress(
            high: bits >= 64 ? high : high & ~(UInt64.max >> bits),
            low: bits >= 128 ? low : bits <= 64 ? 0 : low & ~(UInt64.max >> (bits - 64)))
    }

    /// The addresses that one customer of a provider usually has: one IPv4 address, or a /64 of IPv6.
    var subscriber: IPAddress { prefix(isIPv4 ? 32 : 64) }

    /// The addresses that one site usually has: a /24 of IPv4, or a /48 of IPv6.
    var site: IPAddress { prefix(isIPv4 ? 24 : 48) }
}

extension IPAddress: CustomStringConvertible {
    /// Dotted decimal for IPv4; for IPv6 eight groups without abbreviation.
    var description: String {
        if isIPv4 {
            return stride(from: 24, through: 0, by: -8).map { "\(low >> UInt64($0) & 0xff)" }
                .joined(separator: ".")
        }
        return [high, low].flatMap { half in
            stride(from: 48, through: 0, by: -16).map { String(half >> UInt64($0) & 0xffff, radix: 16) }
        }.joined(separator: ":")
    }
}
