import Glibc

/// The conversion of a file's name to text and back. Names are bytes, and not all of them are UTF-8. A byte
/// that is not UTF-8 becomes a character of private use in the text, which ``withPath(_:_:)`` turns back into
/// the byte.
///
///     63 61 66 E9   ─ text(_:) ─▶   "caf\u{10FFE9}"   ─ withPath ─▶   63 61 66 E9
///
/// This resembles Python's `surrogateescape` (PEP 383), with U+10FF80 … U+10FFFF for the bytes 80 … FF,
/// because text in Swift has no lone surrogates. If a name itself contains one of these characters, the
/// character's bytes are encoded one by one.
package enum FileName {
    private static let base: UInt32 = 0x10_FF00

    /// Returns the text of a name that the system returned.
    package static func text(_ name: UnsafePointer<CChar>) -> String {
        text(UnsafeRawBufferPointer(start: name, count: strlen(name)).map { $0 })
    }

    /// Returns the text of a name's bytes.
    package static func text(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !hasRawBytes(text) { return text }
        var text = String.UnicodeScalarView()
        var rest = bytes[...]
        while let first = rest.first {
            if let (scalar, count) = scalar(rest), byte(scalar) == nil {
                text.append(scalar)
                rest = rest.dropFirst(count)
            } else {
                text.append(Unicode.Scalar(base + UInt32(first))!)
                rest = rest.dropFirst()
            }
        }
        return String(text)
    }

    /// Returns the bytes of a name, without the 0 that ends them in C.
    package static func bytes(_ text: String) -> [UInt8] {
        guard hasRawBytes(text) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            byte(scalar).map { [$0] } ?? Array(String(Character(scalar)).utf8)
        }
    }

    /// Calls `body` with the name as a C string.
    package static func withPath<Result>(
        _ text: String, _ body: (UnsafePointer<CChar>) throws -> Result
    ) rethrows -> Result {
        guard hasRawBytes(text) else { return try text.withCString(body) }
        return try (bytes(text).map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            try body($0.baseAddress!)
        }
    }

    /// Returns true if a text contains bytes that are not UTF-8. Such a text can only be a file's name.
    package static func hasRawBytes(_ text: String) -> Bool {
        text.utf8.contains(0xF4) && text.unicodeScalars.contains { byte($0) != nil }
    }

    /// Returns the byte that a character stands for; `nil` for all other characters.
    package static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        scalar.value >= base + 0x80 ? UInt8(scalar.value - base) : nil
    }

    /// Returns the first character and the number of its bytes; `nil` if the bytes do not begin with one.
    private static func scalar(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        for count in 1...4 where bytes.count >= count {
            if let text = String(validating: bytes.prefix(count), as: UTF8.self),
                let scalar = text.unicodeScalars.first
            {
                return (scalar, count)
            }
        }
        return nil
    }
}
