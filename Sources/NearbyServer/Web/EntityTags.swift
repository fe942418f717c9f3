/// Reads `If-None-Match`, which names the versions of a file that a client has (RFC 9110 §13.1.2).
enum EntityTags {
    /// Returns true if `tag` is among the versions, by weak comparison. Text that cannot be read names no
    /// version.
    ///
    /// - Parameter tag: A tag with its quotation marks.
    static func contain(_ tag: String, in fields: [String]) -> Bool {
        fields.contains { field in
            var rest = field.utf8[...]
            skipSeparators(&rest)
            if rest.first == UInt8(ascii: "*") { return true }
            while let found = next(&rest) {
                if found.elementsEqual(tag.utf8) { return true }
            }
            return false
        }
    }

    /// Returns the next tag with its quotation marks; `nil` if there is none.
    private static func next(_ rest: inout Substring.UTF8View) -> Substring.UTF8View? {
        skipSeparators(&rest)
        if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
        let mark = UInt8(ascii: "\"")
        guard rest.first == mark, let end = rest.dropFirst().firstIndex(of: mark) else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return rest[...end]
    }

    private static func skipSeparators(_ rest: inout Substring.UTF8View) {
        rest = rest.drop { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
