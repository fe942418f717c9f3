/// A token as the program shows it.
enum TokenDisplay {
    /// Returns lowercase hexadecimal digits, two for each byte.
    static func hex(_ token: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: token.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns the token as text; `nil` unless it is UTF-8 that a terminal can safely show.
    static func text(_ token: [UInt8]) -> String? {
        guard token.allSatisfy({ $0 >= 32 }), let text = String(validating: token, as: UTF8.self),
            text.unicodeScalars.allSatisfy(isPrintable)
        else { return nil }
        return text
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            false
        default: true
        }
    }
}
