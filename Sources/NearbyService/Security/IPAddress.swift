import Glibc

/// An IPv4 or IPv6 address without its port. An IPv4 address is stored as an IPv4-mapped IPv6 address (RFC
/// 4291 §2.5.5.2), so that both spellings of one address are equal.
package struct IPAddress: Hashable, Sendable {
    // The address is not one UInt128, because that is aligned to 16 bytes and Swift 6.3 gives asynchronous
    // functions less.
    private let high: UInt64
    private let low: UInt64

    /// The address as a number. The first byte is the highest; IPv4 addresses lie in ::ffff:0:0/96.
    private var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }

    private init(bits: UInt128) {
        (high, low) = (UInt64(truncatingIfNeeded: bits >> 64), UInt64(truncatingIfNeeded: bits))
    }

    /// The unspecified address `::`, which stands for no address.
    package static let none = IPAddress(bits: 0)

    /// - Parameter text: `192.0.2.1`, `2001:db8::1`, `::ffff:192.0.2.1` or `fe80::1%eth0`, whose zone is
    ///   dropped. The result is `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 64, !text.utf8.contains(0) else { return nil }
        let text = String(text.prefix { $0 != "%" })
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(bits: UInt128(0xFFFF) << 32 | UInt128(UInt32(bigEndian: four.s_addr)))
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(bits: withUnsafeBytes(of: &six) { $0.reduce(0) { $0 << 8 | UInt128($1) } })
        } else {
            return nil
        }
    }

    /// True if this is an IPv4 address in either spelling.
    package var isIPv4: Bool { bits >> 32 == 0xFFFF }

    /// Returns the address with its first `length` bits kept and all others set to 0.
    ///
    /// - Parameter length: 0 to 32 for an IPv4 address, 0 to 128 for an IPv6 address.
    package func prefix(_ length: Int) -> IPAddress {
        let kept = isIPv4 ? 96 + length : length
        return IPAddress(bits: kept == 128 ? bits : bits & ~(UInt128.max >> UInt128(kept)))
    }

    /// The address of one customer's line or of one building: a whole IPv4 address, or the first 64 bits of
    /// an IPv6 address. A customer who has one IPv6 address of a site can use all of them.
    package var site: IPAddress { prefix(isIPv4 ? 32 : 64) }

    /// The range of addresses that a provider gives out together: the first 24 bits of an IPv4 address, or
    /// the first 48 bits of an IPv6 address.
    package var network: IPAddress { prefix(isIPv4 ? 24 : 48) }
}

extension IPAddress: CustomStringConvertible {
    /// The address in dotted decimal for IPv4, and in eight groups without abbreviation for IPv6.
    package var description: String {
        if isIPv4 {
            return stride(from: 24, through: 0, by: -8).map { "\(bits >> UInt128($0) & 0xFF)" }
                .joined(separator: ".")
        }
        return stride(from: 112, through: 0, by: -16).map {
            String(bits >> UInt128($0) & 0xFFFF, radix: 16)
        }.joined(separator: ":")
    }
}
