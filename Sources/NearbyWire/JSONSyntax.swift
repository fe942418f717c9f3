import FoundationEssentials

/// A syntax check of a JSON text (RFC 8259), before a decoder reads its content.
///
/// The decoder does not say where a text is not JSON, and silently takes one of two members with the same
/// name.
struct JSONSyntax {
    /// The greatest depth of nested arrays and objects.
    private static let deepest = 64

    private enum Step {
        case member(String)
        case element(Int)
    }

    private let bytes: [UInt8]
    private var position = 0
    private var path: [Step] = []

    private init(_ body: Data) { bytes = Array(body) }

    /// Throws: ``WireError`` that says where the text is not JSON, or which name an object has twice.
    static func check(_ body: Data) throws(WireError) {
        var text = JSONSyntax(body)
        if text.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { text.position = 3 }
        text.skipSpace()
        guard text.position < text.bytes.count else { throw WireError("", "expected JSON, came nothing") }
        try text.value()
        text.skipSpace()
        if text.position < text.bytes.count { throw text.unexpected("nothing more") }
    }

    private mutating func value() throws(WireError) {
        switch peek {
        case UInt8(ascii: "{"): try object()
        case UInt8(ascii: "["): try array()
        case UInt8(ascii: "\""): _ = try string()
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte): try number()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: throw unexpected("a value")
        }
    }

    private mutating func object() throws(WireError) {
        try open()
        var names: Set<String> = []
        if take("}") { return }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
            let name = try string()
            path.append(.member(name))
            guard names.insert(name).inserted else {
                throw WireError(place, "is there twice in one object")
            }
            skipSpace()
            guard take(":") else { throw unexpected("':'") }
            try element()
        } while take(",")
        guard take("}") else { throw unexpected("',' or '}'") }
    }

    private mutating func array() throws(WireError) {
        try open()
        if take("]") { return }
        var count = 0
        repeat {
            path.append(.element(count))
            count += 1
            try element()
        } while take(",")
        guard take("]") else { throw unexpected("',' or ']'") }
    }

    /// Reads the value of the last step of the path, and removes the step.
    private mutating func element() throws(WireError) {
        skipSpace()
        try value()
        path.removeLast()
        skipSpace()
    }

    private mutating func open() throws(WireError) {
        guard path.count < JSONSyntax.deepest else {
            throw WireError("", "more than \(JSONSyntax.deepest) arrays and objects within each other")
        }
        position += 1
        skipSpace()
    }

    private mutating func string() throws(WireError) -> String {
        let start = position
        var hasEscape = false
        position += 1
        while peek != UInt8(ascii: "\"") {
            guard let byte = peek, byte >= 0x20 else { throw unexpected("'\"' at the end of a string") }
            if byte == UInt8(ascii: "\\") {
                hasEscape = true
                position += 1
            }
            position += 1
        }
        position += 1
        if hasEscape {
            // A decoder reads escapes. If it rejects one, the error below says so in this project's own
            // words.
            do { return try JSONDecoder().decode(String.self, from: Data(bytes[start..<position])) } catch {}
        } else if let text = String(validating: bytes[(start + 1)..<(position - 1)], as: UTF8.self) {
            return text
        }
        position = start
        throw unexpected("a string of UTF-8 with escapes as JSON has them")
    }

    private mutating func number() throws(WireError) {
        if peek == UInt8(ascii: "-") { position += 1 }
        let hasZero = peek == UInt8(ascii: "0")
        let count = digits()
        guard count > 0 else { throw unexpected("a digit") }
        guard count == 1 || !hasZero else { throw unexpected("a number without zeros before it") }
        if peek == UInt8(ascii: ".") {
            position += 1
            guard digits() > 0 else { throw unexpected("a digit") }
        }
        guard let byte = peek, byte | 0x20 == UInt8(ascii: "e") else { return }
        position += 1
        if peek == UInt8(ascii: "-") || peek == UInt8(ascii: "+") { position += 1 }
        guard digits() > 0 else { throw unexpected("a digit") }
    }

    /// Skips digits, and returns their number.
    private mutating func digits() -> Int {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func word(_ word: StaticString) throws(WireError) {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: word) else { throw unexpected("a value") }
        position += word.count
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D { position += 1 }
    }

    private var place: String {
        path.reduce(into: "") { text, step in
            switch step {
            case .member(let name): text += (text.isEmpty ? "" : ".") + name.prefix(40)
            case .element(let index): text += "[\(index)]"
            }
        }
    }

    /// - Parameter expected: the syntax expected at the present position.
    private func unexpected(_ expected: String) -> WireError {
        let came =
            peek.map { $0 > 0x20 && $0 < 0x7F ? "'\(Character(Unicode.Scalar($0)))'" : "the byte \($0)" }
            ?? "the end"
        return WireError(
            place, "expected \(expected), came \(came): no valid JSON at byte \(position + 1)")
    }
}
