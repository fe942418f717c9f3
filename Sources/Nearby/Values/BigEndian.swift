extension FixedWidthInteger {
    /// The bytes of the number, the highest first.
    package var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: self >> Self($0))
        }
    }
}

extension Collection<UInt8> {
    /// The number from the last eight bytes, the highest first.
    package var bigEndianNumber: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
