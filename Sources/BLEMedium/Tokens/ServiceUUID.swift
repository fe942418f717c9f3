/// Which of all advertisements are ours: the number of a service, short as the Bluetooth SIG gives them out, or one's own.
public enum ServiceUUID: Sendable, Hashable {
    case short(UInt16)
    /// Highest byte first, 16 of them.
    case own([UInt8])

    /// 8431075b-9308-4754-a472-fe0df2bcd6cd, drawn by chance for this project.
    public static let nearby = ServiceUUID.own([
        0x84, 0x31, 0x07, 0x5B, 0x93, 0x08, 0x47, 0x54, 0xA4, 0x72, 0xFE, 0x0D, 0xF2, 0xBC, 0xD6, 0xCD,
    ])

    /// Four or 32 hexadecimal digits, with or without dashes. Throws: ``BLEError/Kind/usage``.
    public init(_ text: String) throws(BLEError) {
        let digits = text.filter { $0 != "-" }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { at in
            let start = digits.index(digits.startIndex, offsetBy: at)
            let end = digits.index(start, offsetBy: min(2, digits.count - at))
            return digits[start..<end].allSatisfy(\.isHexDigit) ? UInt8(digits[start..<end], radix: 16) : nil
        }
        switch (digits.count, bytes.count) {
        case (4, 2): self = .short(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        case (32, 16): self = .own(bytes)
        default:
            throw BLEError(
                .usage,
                "expected the number of a service, as fef3 or 8431075b-9308-4754-a472-fe0df2bcd6cd, not '\(text)'"
            )
        }
    }

    /// As it goes on air, lowest byte first.
    var wire: [UInt8] {
        switch self {
        case .short(let number): [UInt8](number)
        case .own(let bytes): bytes.reversed()
        }
    }

    /// The type of an advertisement's field with data of this service.
    var dataType: UInt8 { wire.count == 2 ? 0x16 : 0x21 }
    /// The type of a complete list of such numbers.
    var listType: UInt8 { wire.count == 2 ? 0x03 : 0x07 }
}
