/// A JSON text that is written member by member, without white space. It takes far fewer instructions than
/// `JSONEncoder` (`Tools/bench/server-instructions`), and is for the bodies that a server sends most often.
///
///     text.object {                       {"change":"found","subscription":2}
///         $0.member("change", "found")
///         $0.member("subscription", 2)
///     }
struct JSONText {
    private(set) var bytes: [UInt8] = []
    /// True if the next member or element is the first of its object or array.
    private var isFirst = true

    init() { bytes.reserveCapacity(512) }

    mutating func object(_ members: (inout JSONText) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    /// Writes a member, unless there is no value.
    mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        self.name(name)
        string(value)
    }

    /// Writes a member, unless there is no value.
    mutating func member(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.name(name)
        number(value)
    }

    /// Writes an array as a member, unless there is none.
    mutating func member<Element>(
        _ name: StaticString, _ list: [Element]?, _ element: (inout JSONText, Element) -> Void
    ) {
        guard let list else { return }
        self.name(name)
        bytes.append(UInt8(ascii: "["))
        isFirst = true
        for one in list {
            separate()
            element(&self, one)
        }
        bytes.append(UInt8(ascii: "]"))
        isFirst = false
    }

    /// Writes the name of a member whose value follows. The name needs no escapes.
    mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func number(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(of: value.magnitude)
    }

    private mutating func digits(of number: UInt64) {
        if number > 9 { digits(of: number / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let isPlain = text.utf8.withContiguousStorageIfAvailable {
            guard $0.allSatisfy(JSONText.isPlain) else { return false }
            bytes.append(contentsOf: $0)
            return true
        }
        if isPlain != true { escape(text) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Returns true if the byte stands in a string as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func escape(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case _ where JSONText.isPlain(byte): bytes.append(byte)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes.append(contentsOf: "\\b".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0C: bytes.append(contentsOf: "\\f".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            default: bytes.append(contentsOf: "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
            }
        }
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }
}
