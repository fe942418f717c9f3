/// The password in a URL, in either place: `postgres://user:password@host`,
/// `postgres:///database?password=password`.
package enum URLPassword {
    /// Returns the password as it stands in the URL, without decoding; `nil` if there is none.
    package static func find(in text: String) -> String? {
        guard let rest = rest(of: text) else { return nil }
        if let at = rest.lastIndex(of: "@"), let colon = rest[..<at].firstIndex(of: ":") {
            let password = rest[rest.index(after: colon)..<at]
            return password.isEmpty ? nil : String(password)
        }
        guard let value = parameter(of: rest) else { return nil }
        return value.isEmpty ? nil : String(value)
    }

    /// Returns the word with `…` in place of the user name and the password.
    package static func withoutPassword(_ word: Substring) -> String {
        var text = String(word)
        if let rest = rest(of: text), let at = rest.lastIndex(of: "@") {
            text = text[..<rest.startIndex] + "…" + rest[at...]
        }
        if let value = parameter(of: text[...]) {
            text = text[..<value.startIndex] + "…" + text[value.endIndex...]
        }
        return text
    }

    /// Decodes percent escapes: `%41` becomes `A`.
    package static func decoded(_ text: String) -> String {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the part after `://`.
    private static func rest(of text: String) -> Substring? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        return text[text.index(colon, offsetBy: 3)...]
    }

    /// Returns the value of `password=`.
    private static func parameter(of text: Substring) -> Substring? {
        var rest = text
        while let sign = rest.firstIndex(of: "=") {
            let value = rest[rest.index(after: sign)...]
            if rest[..<sign].lowercased().hasSuffix("password") { return value.prefix { $0 != "&" } }
            rest = value
        }
        return nil
    }
}
