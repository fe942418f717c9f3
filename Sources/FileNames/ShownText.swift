/// Text from outside (names of files, devices and senders, servers' answers), made safe for a terminal.
package enum ShownText {
    /// Returns the text on one line. A line break, an escape and everything else that would command a
    /// terminal is written as in JSON, `\u001b`; a byte that is not UTF-8 as `\xe9`.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: isSuspect) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let byte = FileName.byte(scalar) {
                shown += "\\x\(hex(UInt32(byte), digits: 2))".unicodeScalars
            } else if let words = escape(scalar) {
                shown += words.unicodeScalars
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// Returns the JSON escape of a character that must not reach a terminal; `nil` for all other characters.
    package static func escape(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x0A: "\\n"
        case 0x0D: "\\r"
        // Tabs make columns of lines.
        case 0x09: nil
        // Control characters, marks that change the direction of writing, and separators of lines.
        case 0..<0x20, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
            "\\u\(hex(scalar.value, digits: 4))"
        default: nil
        }
    }

    /// Returns true if a character that is escaped may begin with this byte.
    private static func isSuspect(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 || byte == 0xF4
    }

    package static func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
