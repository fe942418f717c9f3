extension Span<UInt8> {
    /// A number as it lies in memory, at any place. Bounds are checked.
    @inline(__always)
    func load<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
        bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self)
    }

    /// The highest byte first.
    @inline(__always)
    func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as: Number.Type) -> Number {
        Number(bigEndian: load(offset))
    }
}

extension FixedWidthInteger {
    /// The highest byte first.
    var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: self >> Self($0))
        }
    }
}

extension Span<UInt8> {
    /// A copy.
    var array: [UInt8] { indices.map { self[$0] } }
}
