/// A token as people write it: hexadecimal digits or text.
enum TokenArgument {
    /// The reason why a text is no token.
    struct Rejection: Error, Hashable, CustomStringConvertible {
        var description: String
    }

    /// Parses pairs of hexadecimal digits, of either case, with nothing between them, for as many bytes as
    /// `byteCounts` allows.
    static func bytes(hex: String, byteCounts: ClosedRange<Int> = 1...32) throws(Rejection) -> [UInt8] {
        let digits = Array(hex.utf8)
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count - 1, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else {
                throw Rejection(
                    description:
                        "expected hexadecimal digits, such as 48656c6c6f; for text use --text")
            }
            bytes.append(high << 4 | low)
        }
        guard digits.count % 2 == 0 else {
            throw Rejection(description: "a byte is two hexadecimal digits; this token has \(digits.count)")
        }
        return try checked(bytes, byteCounts)
    }

    /// Returns the UTF-8 bytes of `text`.
    static func bytes(text: String, byteCounts: ClosedRange<Int> = 1...32) throws(Rejection) -> [UInt8] {
        try checked(Array(text.utf8), byteCounts)
    }

    private static func checked(_ bytes: [UInt8], _ byteCounts: ClosedRange<Int>) throws(Rejection) -> [UInt8]
    {
        guard byteCounts.contains(bytes.count) else {
            throw Rejection(
                description:
                    "a token has \(byteCounts.lowerBound) to \(byteCounts.upperBound) bytes, this one has \(bytes.count)"
            )
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
