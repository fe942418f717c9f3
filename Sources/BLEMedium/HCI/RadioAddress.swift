/// The address of a radio, most significant byte first.
package struct RadioAddress: Sendable, Hashable {
    package enum Kind: UInt8, Sendable {
        case `public`, random, publicIdentity, randomIdentity
        /// The report does not name an address.
        case anonymous = 0xFF
    }

    package var kind: Kind
    /// The 48 bits of the address.
    package var bits: UInt64

    package init(_ kind: Kind, bits: UInt64) { (self.kind, self.bits) = (kind, bits & RadioAddress.mask) }

    private static let mask: UInt64 = (1 << 48) - 1

    /// Creates an address from six bytes, little-endian.
    init(_ kind: Kind, wire: ArraySlice<UInt8>) {
        self.init(kind, bits: wire.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Creates a random address from its six bytes in a command, little-endian.
    package init(random wire: ArraySlice<UInt8>) { self.init(.random, wire: wire) }

    var wire: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) } }

    /// Draws a new address that nobody can link to another: the two highest bits are zero, and the random
    /// rest is neither all zeros nor all ones (Core 5.4, volume 6, part B §1.3.2.2).
    package static func nonResolvable(_ random: inout some RandomNumberGenerator) -> RadioAddress {
        while true {
            let bits = random.next() & ((1 << 46) - 1)
            if bits != 0 && bits != (1 << 46) - 1 { return RadioAddress(.random, bits: bits) }
        }
    }

    package var isNonResolvable: Bool { kind == .random && bits >> 46 == 0 }
}
