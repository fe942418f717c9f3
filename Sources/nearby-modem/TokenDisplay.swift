/// A token as the program shows it.
enum TokenDisplay {
    /// Lowercase hexadecimal digits, two a byte.
    static func hex(_ token: [UInt8]) -> String {
        token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The token as text; nil unless it is UTF-8 that a terminal can safely show.
    static func text(_ token: [UInt8]) -> String? {
        guard let text = String(validating: token, as: UTF8.self), text.unicodeScalars.allSatisfy(isPrintable)
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
