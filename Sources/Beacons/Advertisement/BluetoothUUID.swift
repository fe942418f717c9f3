/// Which service: 128 bits, of which the Bluetooth SIG's own are known by their 16 or 32.
///
/// However many bits an advertisement spends on it, equal UUIDs are equal (Core Specification 6.0, volume 3, part B, section 2.5.1).
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
    /// The highest byte is written first; on air it comes last.
    public let value: UInt128

    /// All 128 bits, the first digit written being the highest; the SIG's own are equal to their short forms.
    public init(_ value: UInt128) { self.value = value }

    /// One of the SIG's.
    public init(_ short: UInt16) { self.init(UInt32(short)) }

    /// One of the SIG's.
    public init(_ short: UInt32) { value = UInt128(short) << 96 | BluetoothUUID.base }

    /// Nil for anything but `FEAA`, `0000FEAA`, or 32 digits with hyphens as in `0000FEAA-0000-1000-8000-00805F9B34FB`; either case.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let digits = parts.joined()
        guard digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        switch parts.map(\.count) {
        case [4], [8]:
            guard let short = UInt32(digits, radix: 16) else { return nil }
            self.init(short)
        case [8, 4, 4, 4, 12]:
            guard let value = UInt128(digits, radix: 16) else { return nil }
            self.init(value)
        default: return nil
        }
    }

    private static let base: UInt128 = 0x0000_0000_0000_1000_8000_0080_5F9B_34FB

    /// Google's, for Eddystone.
    public static let eddystone = BluetoothUUID(0xFEAA as UInt16)

    /// The 16 bits it is known by; nil if it needs more.
    public var short: UInt16? {
        value & (UInt128.max >> 32) == BluetoothUUID.base ? UInt16(exactly: value >> 96) : nil
    }

    /// As short as it can be.
    public var description: String {
        let digits = BluetoothUUID.padded(value, 32)
        if let short { return BluetoothUUID.padded(UInt128(short), 4) }
        var (text, rest) = ("", digits[...])
        for count in [8, 4, 4, 4, 12] {
            text += (text.isEmpty ? "" : "-") + rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        return text
    }

    private static func padded(_ number: UInt128, _ count: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: count - digits.count) + digits
    }

    /// As on air, the lowest byte first: 2 bytes if that is enough, otherwise 16.
    var bytes: [UInt8] {
        if let short { return [UInt8(truncatingIfNeeded: short), UInt8(truncatingIfNeeded: short >> 8)] }
        return value.bigEndianBytes.reversed()
    }

    /// From air. Precondition: `byteCount` is 2, 4 or 16, and they are there.
    init(of bytes: Span<UInt8>, at offset: Int, byteCount: Int) {
        switch byteCount {
        case 2: self.init(UInt16(littleEndian: bytes.load(offset)))
        case 4: self.init(UInt32(littleEndian: bytes.load(offset)))
        default: self.init(UInt128(littleEndian: bytes.load(offset)))
        }
    }
}
