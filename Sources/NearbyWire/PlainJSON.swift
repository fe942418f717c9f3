/// A reader of the plain part of JSON: objects, arrays, strings without escapes, numbers without exponents,
/// true and false. It fails at everything else, at a fault as at an escape. Its user then takes
/// ``WireCoding/decode(_:from:)``, which reads all of JSON and says what is wrong, but takes far more
/// instructions (`Tools/bench/server-instructions`).
///
/// Functions that read into a variable fail if it has a value already, so that a name that is there twice is
/// left to the decoder.
struct PlainJSON {
    /// The name of a member, which `switch` compares with literals. No string is made of it.
    struct Name {
        fileprivate let bytes: ArraySlice<UInt8>

        static func ~= (text: StaticString, name: Name) -> Bool {
            let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            // `elementsEqual` takes four times the instructions.
            return name.bytes.count == text.count
                && text.indices.allSatisfy { text[$0] == name.bytes[name.bytes.startIndex + $0] }
        }
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ body: [UInt8]) { bytes = body }

    /// True if nothing but white space is left.
    var isAtEnd: Bool { mutating get { next == nil } }

    /// Reads an object.
    ///
    /// - Parameter member: reads the value of the member with this name; returns false if it cannot.
    mutating func object(_ member: (inout PlainJSON, Name) -> Bool) -> Bool {
        guard take("{") else { return false }
        if take("}") { return true }
        repeat {
            guard let name = quoted(), take(":"), member(&self, Name(bytes: name)) else { return false }
        } while take(",")
        return take("}")
    }

    /// Reads an array of at most `limit` elements.
    ///
    /// - Parameter element: reads an element; returns `nil` if it cannot.
    mutating func array<Element>(
        into list: inout [Element]?, upTo limit: Int, _ element: (inout PlainJSON) -> Element?
    ) -> Bool {
        guard list == nil, take("[") else { return false }
        var elements: [Element] = []
        if !take("]") {
            repeat {
                guard elements.count < limit, let one = element(&self) else { return false }
                elements.append(one)
            } while take(",")
            guard take("]") else { return false }
        }
        list = elements
        return true
    }

    mutating func read(into value: inout String?) -> Bool { read(into: &value) { $0.string() } }

    mutating func read(into value: inout Int64?) -> Bool {
        read(into: &value) { Int64($0.number(hasFraction: false)) }
    }

    mutating func read(into value: inout Int?) -> Bool {
        read(into: &value) { Int($0.number(hasFraction: false)) }
    }

    mutating func read(into value: inout Double?) -> Bool {
        read(into: &value) { Double($0.number(hasFraction: true)).flatMap { $0.isFinite ? $0 : nil } }
    }

    mutating func read(into value: inout Bool?) -> Bool {
        read(into: &value) { $0.word("true") ? true : $0.word("false") ? false : nil }
    }

    mutating func string() -> String? {
        guard let text = quoted() else { return nil }
        // ASCII is valid as it is; to validate it takes five times the instructions.
        guard text.allSatisfy({ $0 < 0x80 }) else { return String(validating: text, as: UTF8.self) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a string. Returns what stands between its quotation marks, which need not be valid UTF-8.
    private mutating func quoted() -> ArraySlice<UInt8>? {
        guard take("\""), let end = bytes[position...].firstIndex(where: PlainJSON.endsPlainText),
            bytes[end] == UInt8(ascii: "\"")
        else { return nil }
        defer { position = end + 1 }
        return bytes[position..<end]
    }

    /// Returns true for a quotation mark, for the first byte of an escape, and for what a string must escape.
    private static func endsPlainText(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
    }

    private mutating func read<Value>(
        into value: inout Value?, _ reading: (inout PlainJSON) -> Value?
    ) -> Bool {
        guard value == nil else { return false }
        value = reading(&self)
        return value != nil
    }

    /// Reads a number. Returns its text, which is empty if there is no such number.
    private mutating func number(hasFraction: Bool) -> String {
        guard next != nil else { return "" }
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let first = position
        guard digits() > 0, position == first + 1 || bytes[first] != UInt8(ascii: "0") else { return "" }
        if hasFraction, position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            guard digits() > 0 else { return "" }
        }
        // The number ends here unless one of these follows: `1.5` is no whole number, `1e3` no plain one.
        if position < bytes.count, ".eE".utf8.contains(bytes[position]) { return "" }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Skips digits, and returns their number.
    private mutating func digits() -> Int {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        return position - start
    }

    private mutating func word(_ word: StaticString) -> Bool {
        guard next != nil else { return false }
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: word) else { return false }
        position += word.count
        return true
    }

    /// The next byte after white space, at which the reader then stands; `nil` at the end.
    private var next: UInt8? {
        mutating get {
            while position < bytes.count {
                switch bytes[position] {
                case 0x20, 0x09, 0x0A, 0x0D: position += 1
                case let byte: return byte
                }
            }
            return nil
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
