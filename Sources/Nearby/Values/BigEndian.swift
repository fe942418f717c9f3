extension FixedWidthInteger {
    /// The bytes of the number, the highest first.
    package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension Collection<UInt8> {
    /// The number from the last eight bytes, the highest first.
    @inlinable package var bigEndianNumber: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
