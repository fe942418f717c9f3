/// A reader that takes bytes off the front of a received message and never reads past its end.
struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads a little-endian number, as everywhere in HCI.
    mutating func uint16() -> UInt16? { bytes(2).map { UInt16($0.first!) | UInt16($0.last!) << 8 } }

    mutating func uint32() -> UInt32? {
        bytes(4).map { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    }
}

extension [UInt8] {
    /// Creates the little-endian bytes of a number.
    init(_ value: UInt16) {
        self = [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }

    init(_ value: UInt32) { self = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}
