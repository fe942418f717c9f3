/// The parts of a programme that a copy in another format does not hold.
enum LostParts {
    /// Returns one line that names them; none if nothing is lost.
    static func remarks(_ path: AudioPath, _ names: [String]) -> [String] {
        guard !names.isEmpty else { return [] }
        var unique: [String] = []
        for name in names.map({ $0.filter { $0 != " " } }) where !unique.contains(name) {
            unique.append(name)
        }
        return ["\(path): not copied, for the output has no place for it: \(unique.joined(separator: ", "))"]
    }

    /// Returns the parts of a FLAC other than its samples and the copied tags.
    ///
    /// Reference: RFC 9639, section 8.
    static func names(inFLAC bytes: (_ place: Int, _ count: Int) -> [UInt8]?) -> [String] {
        guard bytes(0, 4) == Array("fLaC".utf8) else { return [] }
        var (names, place, isLast) = ([String](), 4, false)
        while !isLast, let header = bytes(place, 4) {
            let size = ByteOrder.big.number(header[1...3])
            isLast = header[0] & 0x80 != 0
            switch header[0] & 0x7F {
            case 2: names.append("an application's block")
            case 4: names += comments(bytes(place + 4, size) ?? [])
            case 5: names.append("the cue sheet")
            case 6: names.append("a picture")
            default: break
            }
            place += 4 + size
        }
        return names
    }

    /// Returns the comments whose field is not one of ``ProgrammeTag``'s.
    private static func comments(_ block: [UInt8]) -> [String] {
        var (names, place) = ([String](), 0)
        /// Takes a length and that number of bytes.
        func take() -> ArraySlice<UInt8>? {
            guard block.count - place >= 4 else { return nil }
            let start = place + 4
            place = min(block.count, start + ByteOrder.little.number(block[place..<place + 4]))
            return block[start..<place]
        }
        guard take() != nil else { return [] }
        // These bytes are the number of comments.
        place += 4
        while let comment = take() {
            let field = String(decoding: comment.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            let isKnown = ProgrammeTag.Kind.allCases.contains { "\($0)".lowercased() == field.lowercased() }
            if !isKnown { names.append("the comment \(field)") }
        }
        return names
    }
}
