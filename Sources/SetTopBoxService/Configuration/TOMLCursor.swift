/// A position in a TOML text, and the small parts of the text that are read there.
struct TOMLCursor {
    private let bytes: [UInt8]
    private var place = 0
    private(set) var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    func failure(_ reason: String) -> TOMLReader.Failure { TOMLReader.Failure(line: line, reason: reason) }

    mutating func advance() {
        if peek == UInt8(ascii: "\n") { line += 1 }
        place += 1
    }

    func isNext(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[min(place, bytes.count)...].starts(with: $0) }
    }

    mutating func take(_ text: StaticString) -> Bool {
        guard isNext(text) else { return false }
        place += text.utf8CodeUnitCount
        return true
    }

    mutating func takeWhile(_ isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = place
        while place < bytes.count, isTaken(bytes[place]) { place += 1 }
        return bytes[start..<place]
    }

    mutating func skipBlanks() { _ = takeWhile { $0 == 0x20 || $0 == 0x09 } }

    /// Skips blanks, comments and the ends of lines.
    mutating func skipEmptyLines() throws(TOMLReader.Failure) {
        while true {
            skipBlanks()
            try skipComment()
            guard try takeLineEnd() else { return }
        }
    }

    /// Checks that nothing but a comment follows on this line, and goes to the next line.
    mutating func endLine() throws(TOMLReader.Failure) {
        skipBlanks()
        try skipComment()
        guard try takeLineEnd() || peek == nil else {
            throw failure("only a comment may follow here")
        }
    }

    private mutating func takeLineEnd() throws(TOMLReader.Failure) -> Bool {
        if isNext("\r\n") { place += 1 }
        guard peek == UInt8(ascii: "\n") else {
            if peek == UInt8(ascii: "\r") { throw failure("a line must end with a line feed") }
            return false
        }
        advance()
        return true
    }

    private mutating func skipComment() throws(TOMLReader.Failure) {
        guard peek == UInt8(ascii: "#") else { return }
        let comment = takeWhile { $0 != UInt8(ascii: "\n") }
        let isReturnLast = comment.last == UInt8(ascii: "\r") && place < bytes.count
        if isReturnLast { place -= 1 }
        guard (isReturnLast ? comment.dropLast() : comment).allSatisfy({ !TOMLCursor.isControl($0) }) else {
            throw failure("a comment must not contain control characters")
        }
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    // MARK: Texts

    /// Reads a string in " or """.
    mutating func basicString(isLong: Bool) throws(TOMLReader.Failure) -> String {
        try string(quote: UInt8(ascii: "\""), isLong: isLong, hasEscapes: true)
    }

    /// Reads a string in ' or '''.
    mutating func literalString(isLong: Bool) throws(TOMLReader.Failure) -> String {
        try string(quote: UInt8(ascii: "'"), isLong: isLong, hasEscapes: false)
    }

    private mutating func string(
        quote: UInt8, isLong: Bool, hasEscapes: Bool
    ) throws(TOMLReader.Failure) -> String {
        place += isLong ? 3 : 1
        var text: [UInt8] = []
        // The end of a line directly after the quotes does not count.
        if isLong { _ = try takeLineEnd() }
        while let byte = peek {
            if byte == quote {
                if try takeQuotes(quote, isLong: isLong, into: &text) {
                    return String(decoding: text, as: UTF8.self)
                }
            } else if byte == UInt8(ascii: "\\"), hasEscapes {
                try escape(into: &text, isLong: isLong)
            } else if byte == UInt8(ascii: "\n") || isNext("\r\n") {
                guard isLong else {
                    throw failure(
                        "a text must end on its line, with a quote; a text of several lines needs three quotes"
                    )
                }
                _ = try takeLineEnd()
                text.append(UInt8(ascii: "\n"))
            } else {
                guard !TOMLCursor.isControl(byte) else {
                    throw failure("a text must not contain control characters; write \\u00XX")
                }
                text.append(byte)
                place += 1
            }
        }
        throw failure("a text must end with a quote")
    }

    /// Takes quotes, and returns true if they end the text. Up to two quotes may come before the three that
    /// end a long text.
    private mutating func takeQuotes(
        _ quote: UInt8, isLong: Bool, into text: inout [UInt8]
    ) throws(TOMLReader.Failure) -> Bool {
        guard isLong else {
            place += 1
            return true
        }
        let count = takeWhile { $0 == quote }.count
        guard count <= 5 else { throw failure("too many quotes end a text") }
        text += [UInt8](repeating: quote, count: count >= 3 ? count - 3 : count)
        return count >= 3
    }

    private mutating func escape(into text: inout [UInt8], isLong: Bool) throws(TOMLReader.Failure) {
        place += 1
        let letter = peek
        if isLong, letter == 0x20 || letter == 0x09 || letter == 0x0A || letter == 0x0D {
            // The end of this line, and all blanks and empty lines after it, are left out.
            skipBlanks()
            guard try takeLineEnd() else {
                throw failure("after a \\ at the end of a line nothing may follow")
            }
            repeat { skipBlanks() } while try takeLineEnd()
            return
        }
        guard let letter else { throw failure("a text must end with a quote") }
        place += 1
        switch letter {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(letter)
        case UInt8(ascii: "u"): try character(digits: 4, into: &text)
        case UInt8(ascii: "U"): try character(digits: 8, into: &text)
        default:
            throw failure(
                "a \\ must be followed by b, t, n, f, r, u, U, \\ or a quote; in '…' it stands for itself")
        }
    }

    private mutating func character(
        digits count: Int, into text: inout [UInt8]
    ) throws(TOMLReader.Failure) {
        let digits = bytes[place..<min(place + count, bytes.count)]
        guard digits.count == count, digits.allSatisfy(TOMLCursor.isHexDigit),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw failure("\\u must be followed by 4, \\U by 8 hexadecimal digits of a character") }
        place += count
        text += Array(String(Character(scalar)).utf8)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }

    // MARK: Numbers and such

    /// Reads true, false, a number or a date.
    mutating func word() throws(TOMLReader.Failure) -> SettingValue {
        let start = place
        _ = takeWhile(TOMLCursor.isWordByte)
        // A blank may stand between a date and a time.
        if place - start == 10, peek == 0x20, place + 3 < bytes.count, bytes[place + 3] == UInt8(ascii: ":") {
            place += 1
            _ = takeWhile(TOMLCursor.isWordByte)
        }
        let word = String(decoding: bytes[start..<place], as: UTF8.self)
        // The word is not repeated, because it may be a key without its quotes.
        guard let value = TOMLWord.value(word) else {
            throw failure(
                word.isEmpty
                    ? "a value is missing"
                    : "a value without quotes must be true, false, a number or a date; texts need quotes"
            )
        }
        return value
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}
