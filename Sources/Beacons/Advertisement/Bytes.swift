extension Span<UInt8> {
    /// Reads a number in the machine's byte order, at any offset. Bounds are checked.
    @inline(__always)
    func load<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
        bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self)
    }

    /// Reads a big-endian number.
    @inline(__always)
    func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as: Number.Type) -> Number {
        Number(bigEndian: load(offset))
    }
}

extension FixedWidthInteger {
    /// The number's bytes, big-endian.
    var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: self >> Self($0))
        }
    }
}

extension Span<UInt8> {
    /// A copy of the bytes.
    var array: [UInt8] { indices.map { self[$0] } }
}
