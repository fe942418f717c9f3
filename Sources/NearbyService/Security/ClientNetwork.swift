import Glibc

/// Where a request comes from, as budgets count it. Who has one IPv6 address has 2⁶⁴ of them, and often 2⁸⁰: a single one says nothing.
///
/// | | IPv4 | IPv6 |
/// |---|---|---|
/// | site: one customer's line, one building | the address | the first 64 bits |
/// | network: what a provider gives out together | the first 24 bits | the first 48 bits |
struct ClientNetwork: Sendable, Hashable {
    /// The address without its last bits, and how many are left.
    struct Prefix: Sendable, Hashable {
        let bits: UInt128
        let length: Int

        init(_ address: UInt128, length: Int) {
            bits = address & ~(UInt128.max >> UInt128(length))
            self.length = length
        }
    }

    let site: Prefix
    let network: Prefix

    /// - Parameter address: IPv4 or IPv6 in any spelling; an IPv4 address within IPv6 (RFC 4291 §2.5.5.2) is the IPv4 address. Anything
    ///   else, such as the name of a local socket, is one network of its own.
    init(_ address: String) {
        switch ClientNetwork.bits(of: String(address.prefix { $0 != "%" })) {
        case nil: (site, network) = (Prefix(0, length: 0), Prefix(0, length: 0))
        case let bits? where bits >> 32 == 0xFFFF:
            (site, network) = (Prefix(bits, length: 128), Prefix(bits, length: 120))
        case let bits?: (site, network) = (Prefix(bits, length: 64), Prefix(bits, length: 48))
        }
    }

    /// As an IPv6 address; IPv4 is in ::ffff:0:0/96. Nil when it is none.
    private static func bits(of address: String) -> UInt128? {
        var four = in_addr()
        if inet_pton(AF_INET, address, &four) == 1 {
            return UInt128(0xFFFF) << 32 | UInt128(UInt32(bigEndian: four.s_addr))
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return nil }
        return withUnsafeBytes(of: &six) { $0.reduce(0) { $0 << 8 | UInt128($1) } }
    }
}
