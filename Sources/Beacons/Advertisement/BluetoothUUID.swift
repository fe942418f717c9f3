/// The 128-bit number of a service. The Bluetooth SIG's own UUIDs have short forms of 16 or 32 bits.
///
/// Equal UUIDs are equal whatever the number of bits in an advertisement (Core Specification 6.0, volume 3,
/// part B, section 2.5.1).
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
    /// The number. As text, its most significant byte comes first; on air it comes last.
    public let value: UInt128

    /// Creates a UUID from all 128 bits; the first digit of the text is the most significant. The SIG's own
    /// are equal to their short forms.
    public init(_ value: UInt128) { self.value = value }

    /// Creates one of the SIG's UUIDs.
    public init(_ short: UInt16) { self.init(UInt32(short)) }

    /// Creates one of the SIG's UUIDs.
    public init(_ short: UInt32) { value = UInt128(short) << 96 | BluetoothUUID.base }

    /// `nil` for anything but `FEAA`, `0000FEAA`, or 32 digits with hyphens as in
    /// `0000FEAA-0000-1000-8000-00805F9B34FB`; in either case of letters.
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

    /// Google's UUID, for Eddystone.
    public static let eddystone = BluetoothUUID(0xFEAA as UInt16)

    /// The short form of 16 bits; `nil` if the UUID needs more.
    public var short: UInt16? {
        value & (UInt128.max >> 32) == BluetoothUUID.base ? UInt16(exactly: value >> 96) : nil
    }

    /// The UUID in its shortest text form.
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

    /// The UUID as on air, little-endian: 2 bytes if they suffice, otherwise 16.
    var bytes: [UInt8] {
        if let short { return [UInt8(truncatingIfNeeded: short), UInt8(truncatingIfNeeded: short >> 8)] }
        return value.bigEndianBytes.reversed()
    }

    /// Reads a UUID as on air. Precondition: `byteCount` is 2, 4 or 16, and the bytes exist.
    init(of bytes: Span<UInt8>, at offset: Int, byteCount: Int) {
        switch byteCount {
        case 2: self.init(UInt16(littleEndian: bytes.load(offset)))
        case 4: self.init(UInt32(littleEndian: bytes.load(offset)))
        default: self.init(UInt128(littleEndian: bytes.load(offset)))
        }
    }
}
