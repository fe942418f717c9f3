/// A reader that turns a TOML text into settings with their paths. It reads all of TOML 1.0.0. Values that no
/// setting has (dates, tables in lists) are only named.
///
///     [audio]            → audio.playback = "hdmi", line 2
///     playback = "hdmi"
///
/// It does not use TOMLKit, which wraps toml++: version 0.6.0 never frees a document, so that a service that
/// reads its file again grows. TOMLKit also brings Foundation and knows no lines. Reference: TOML 1.0.0,
/// 2021.
package struct TOMLReader {
    /// A value, its path, and the line on which it begins.
    package struct Entry: Sendable, Hashable {
        /// The path. Names that are not bare are in quotes; no setting's path has such a name.
        package var path: String
        package var value: SettingValue
        package var line: Int
    }

    /// An error with the line where the text is not TOML, and the reason.
    package struct Failure: Error, Hashable, Sendable {
        package var line: Int
        package var reason: String
    }

    /// The use that a path already has.
    private enum Kind {
        case value
        /// The path was written as `[path]`.
        case table
        /// The path is part of a longer name of a table: `[path.more]`.
        case implied
        /// The path is part of a dotted name: `path.more = …`.
        case dotted
    }

    static let deepestNesting = 32

    private var cursor: TOMLCursor
    private var kinds: [[String]: Kind] = [:]
    private var entries: [Entry] = []
    private var table: [String] = []
    /// The paths of lists of tables, `[[path]]`. No setting is in one.
    private var lists: Set<[String]> = []
    private var isInTableList = false

    /// Reads a text. Throws an error with the first line that is not TOML.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> [Entry] {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Failure(line: 1, reason: "is not text in UTF-8")
        }
        var reader = TOMLReader(cursor: TOMLCursor(bytes))
        return try reader.readAll()
    }

    private init(cursor: TOMLCursor) { self.cursor = cursor }

    private mutating func readAll() throws(Failure) -> [Entry] {
        while true {
            try cursor.skipEmptyLines()
            guard let byte = cursor.peek else { return entries }
            if byte == UInt8(ascii: "[") { try readHeader() } else { try readAssignment(in: table) }
            try cursor.endLine()
        }
    }

    private mutating func readHeader() throws(Failure) {
        cursor.advance()
        let isList = cursor.take("[")
        let path = try readKey()
        guard cursor.take("]"), !isList || cursor.take("]") else {
            throw cursor.failure("a table's name must end with \(isList ? "]]" : "]")")
        }
        for count in 1..<max(1, path.count) {
            let above = Array(path[..<count])
            if kinds[above] == .value {
                throw cursor.failure("\(TOMLReader.text(above)) is already defined as a value, not a table")
            }
            kinds[above] = kinds[above] ?? .implied
        }
        if isList {
            guard kinds[path] == nil || lists.contains(path) else {
                throw cursor.failure("\(TOMLReader.text(path)) is defined twice")
            }
            if lists.insert(path).inserted {
                entries.append(
                    Entry(path: TOMLReader.text(path), value: .other("a list of tables"), line: cursor.line))
            }
            // Each table of a list begins without any names.
            kinds = kinds.filter { !$0.key.starts(with: path) }
            lists = lists.filter { $0 == path || !$0.starts(with: path) }
        } else {
            guard kinds[path] == nil || kinds[path] == .implied else {
                throw cursor.failure("[\(TOMLReader.text(path))] is defined twice")
            }
        }
        kinds[path] = .table
        table = path
        isInTableList = lists.contains { path.starts(with: $0) }
    }

    private mutating func readAssignment(in table: [String]) throws(Failure) {
        let line = cursor.line
        let key = try readKey()
        guard cursor.take("=") else { throw cursor.failure("a name must be followed by =") }
        cursor.skipBlanks()
        let path = table + key
        try claim(path, from: table.count)
        let value = try readValue(at: path, depth: 0)
        guard !isInTableList, let value else { return }
        entries.append(Entry(path: TOMLReader.text(path), value: value, line: line))
    }

    /// Notes that a path has a value. A path may have only one value, and nothing under it.
    private mutating func claim(_ path: [String], from start: Int) throws(Failure) {
        for count in (start + 1)..<max(start + 1, path.count) {
            let above = Array(path[..<count])
            switch kinds[above] {
            case nil, .dotted: kinds[above] = .dotted
            case .implied, .value, .table:
                throw cursor.failure("\(TOMLReader.text(above)) is defined twice")
            }
        }
        guard kinds[path] == nil else { throw cursor.failure("\(TOMLReader.text(path)) is defined twice") }
        kinds[path] = .value
    }

    // MARK: Names

    /// Reads one or more names with dots between them, and the blanks around them.
    private mutating func readKey() throws(Failure) -> [String] {
        var path: [String] = []
        repeat {
            cursor.skipBlanks()
            switch cursor.peek {
            case UInt8(ascii: "\""): path.append(try cursor.basicString(isLong: false))
            case UInt8(ascii: "'"): path.append(try cursor.literalString(isLong: false))
            default:
                let name = cursor.takeWhile(TOMLReader.isBare)
                guard !name.isEmpty else {
                    throw cursor.failure("a name must be letters, digits, - and _, or be in quotes")
                }
                path.append(String(decoding: name, as: UTF8.self))
            }
            guard path.count <= TOMLReader.deepestNesting else {
                throw cursor.failure("names are nested too deeply")
            }
            cursor.skipBlanks()
        } while cursor.take(".")
        return path
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    static func text(_ path: [String]) -> String {
        path.map { $0.isEmpty || !$0.utf8.allSatisfy(isBare) ? SettingValue.text($0).toml : $0 }
            .joined(separator: ".")
    }

    // MARK: Values

    /// Reads a value. Returns `nil` for a table whose values are entries of their own.
    private mutating func readValue(at path: [String], depth: Int) throws(Failure) -> SettingValue? {
        guard depth < TOMLReader.deepestNesting else { throw cursor.failure("lists are nested too deeply") }
        switch cursor.peek {
        case UInt8(ascii: "\""): return .text(try cursor.basicString(isLong: cursor.isNext("\"\"\"")))
        case UInt8(ascii: "'"): return .text(try cursor.literalString(isLong: cursor.isNext("'''")))
        case UInt8(ascii: "["): return try readList(at: path, depth: depth)
        case UInt8(ascii: "{"): return try readTable(at: path, depth: depth)
        default: return try cursor.word()
        }
    }

    private mutating func readList(at path: [String], depth: Int) throws(Failure) -> SettingValue {
        cursor.advance()
        var values: [SettingValue] = []
        while true {
            try cursor.skipEmptyLines()
            if cursor.take("]") { return .list(values) }
            // The contents of a table in a list are no settings.
            let (known, count) = (kinds, entries.count)
            values.append(try readValue(at: path + ["[]"], depth: depth + 1) ?? .other("a table"))
            (kinds, entries) = (known, Array(entries[..<count]))
            try cursor.skipEmptyLines()
            if !cursor.take(",") {
                guard cursor.take("]") else {
                    throw cursor.failure("in a list, a value must be followed by a comma or ]")
                }
                return .list(values)
            }
        }
    }

    private mutating func readTable(at path: [String], depth: Int) throws(Failure) -> SettingValue? {
        cursor.advance()
        cursor.skipBlanks()
        if cursor.take("}") { return .other("a table") }
        while true {
            let line = cursor.line
            let key = try readKey()
            guard cursor.take("=") else { throw cursor.failure("a name must be followed by =") }
            cursor.skipBlanks()
            try claim(path + key, from: path.count)
            if let value = try readValue(at: path + key, depth: depth + 1), !isInTableList {
                entries.append(Entry(path: TOMLReader.text(path + key), value: value, line: line))
            }
            cursor.skipBlanks()
            if cursor.take("}") { return nil }
            guard cursor.take(",") else {
                throw cursor.failure("in a table, a value must be followed by a comma or }")
            }
        }
    }
}
