/// A packet between a host and its controller (Core 5.4, volume 4, part E §5.4).
package struct HCIPacket: Sendable, Hashable {
    /// The packet's type, as H4 numbers it (volume 4, part A §2).
    package enum Kind: UInt8, Sendable, CaseIterable {
        case command = 1
        case acl, sco, event, iso

        /// The number of bytes before the payload.
        var headerByteCount: Int {
            switch self {
            case .command, .sco: 3
            case .acl, .iso: 4
            case .event: 2
            }
        }

        /// Returns the number of bytes in the payload, according to the header.
        func payloadByteCount(_ header: ArraySlice<UInt8>) -> Int {
            let at = header.startIndex
            switch self {
            case .command, .sco: return Int(header[at + 2])
            case .event: return Int(header[at + 1])
            case .acl: return Int(header[at + 2]) | Int(header[at + 3]) << 8
            // The two highest bits are reserved.
            case .iso: return Int(header[at + 2]) | Int(header[at + 3] & 0x3F) << 8
            }
        }
    }

    package var kind: Kind
    /// The header and the payload.
    package var bytes: [UInt8]

    package init(_ kind: Kind, _ bytes: [UInt8]) { (self.kind, self.bytes) = (kind, bytes) }

    /// The packet as it is sent on a byte stream or a socket of the kernel.
    package var h4: [UInt8] { [kind.rawValue] + bytes }

    /// Parses a whole packet; `nil` if the bytes are no packet, or are longer or shorter than their header
    /// says.
    package init?(h4: ArraySlice<UInt8>) {
        guard let kind = h4.first.flatMap(Kind.init(rawValue:)) else { return nil }
        let rest = h4.dropFirst()
        guard rest.count >= kind.headerByteCount,
            rest.count == kind.headerByteCount + kind.payloadByteCount(rest)
        else { return nil }
        self.init(kind, Array(rest))
    }

    package enum Direction: Sendable, Hashable {
        case toController, fromController
    }

    /// Parses a packet that a host sent; `nil` for a message to the kernel, which is no packet.
    init?(sent bytes: [UInt8], _ framing: HCITransport.Framing) {
        switch framing {
        case .stream, .packets: self.init(h4: bytes[...])
        case .management, .monitor: return nil
        }
    }
}
