import Glibc

/// A file's name as text. Names are bytes, and not all of them are UTF-8: a byte that is none stands in the text as a
/// character of private use, from which ``withPath(_:_:)`` makes the byte again.
///
///     63 61 66 E9   ─ text(_:) ─▶   "caf\u{10FFE9}"   ─ withPath ─▶   63 61 66 E9
///
/// As Python's `surrogateescape` (PEP 383), with U+10FF80 … U+10FFFF for the bytes 80 … FF: text in Swift has no lone
/// surrogates. Where a name holds one of these characters by itself, its bytes are written so one by one.
package enum FileName {
    private static let base: UInt32 = 0x10_FF00

    /// The text of a name as the system gives it.
    package static func text(_ name: UnsafePointer<CChar>) -> String {
        text(UnsafeRawBufferPointer(start: name, count: strlen(name)).map { $0 })
    }

    /// The text of a name's bytes.
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

    /// The bytes of a name, without the 0 that ends them in C.
    package static func bytes(_ text: String) -> [UInt8] {
        guard hasRawBytes(text) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            byte(scalar).map { [$0] } ?? Array(String(Character(scalar)).utf8)
        }
    }

    /// Calls `body` with the name as C takes it.
    package static func withPath<Result>(
        _ text: String, _ body: (UnsafePointer<CChar>) throws -> Result
    ) rethrows -> Result {
        guard hasRawBytes(text) else { return try text.withCString(body) }
        return try (bytes(text).map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            try body($0.baseAddress!)
        }
    }

    /// Whether a text has bytes in it that are not UTF-8. Such a text is a file's name and nothing else.
    package static func hasRawBytes(_ text: String) -> Bool {
        text.utf8.contains(0xF4) && text.unicodeScalars.contains { byte($0) != nil }
    }

    /// The byte that a character stands for; nil for all others.
    package static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        scalar.value >= base + 0x80 ? UInt8(scalar.value - base) : nil
    }

    /// The character at the beginning, and its bytes' number; nil when there is none.
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
