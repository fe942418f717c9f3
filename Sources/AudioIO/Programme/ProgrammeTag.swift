import CSndFile

/// A tag such as title or artist, as most kinds of sound files can hold it.
package struct ProgrammeTag: Sendable, Hashable {
    enum Kind: CaseIterable, Sendable {
        case title, copyright, software, artist, comment, date, album, trackNumber, genre

        /// libsndfile's number of the tag.
        var number: Int32 {
            switch self {
            case .title: Int32(SF_STR_TITLE)
            case .copyright: Int32(SF_STR_COPYRIGHT)
            case .software: Int32(SF_STR_SOFTWARE)
            case .artist: Int32(SF_STR_ARTIST)
            case .comment: Int32(SF_STR_COMMENT)
            case .date: Int32(SF_STR_DATE)
            case .album: Int32(SF_STR_ALBUM)
            case .trackNumber: Int32(SF_STR_TRACKNUMBER)
            case .genre: Int32(SF_STR_GENRE)
            }
        }

        /// The name of the tag's chunk in a WAV's `LIST` of kind `INFO`.
        var chunk: String {
            switch self {
            case .title: "INAM"
            case .copyright: "ICOP"
            case .software: "ISFT"
            case .artist: "IART"
            case .comment: "ICMT"
            case .date: "ICRD"
            case .album: "IPRD"
            case .trackNumber: "ITRK"
            case .genre: "IGNR"
            }
        }
    }

    let kind: Kind
    let text: String

    static func all(of handle: OpaquePointer) -> [ProgrammeTag] {
        Kind.allCases.compactMap { kind in
            sf_get_string(handle, kind.number).map { ProgrammeTag(kind: kind, text: String(cString: $0)) }
        }
    }

    /// Returns the tags of a WAV's `LIST`; none if its kind is not `INFO`. A tag that is not UTF-8 is left
    /// out.
    static func all(inList contents: ArraySlice<UInt8>) -> [ProgrammeTag] {
        guard contents.prefix(4).elementsEqual("INFO".utf8) else { return [] }
        let entries = Array(contents.dropFirst(4))
        var (tags, place) = ([ProgrammeTag](), 0)
        while entries.count - place >= 8 {
            let name = entries[place..<place + 4]
            let size = ByteOrder.little.number(entries[place + 4..<place + 8])
            let text = entries[(place + 8)...].prefix(size).prefix { $0 != 0 }
            if let kind = Kind.allCases.first(where: { name.elementsEqual($0.chunk.utf8) }),
                let text = String(validating: text, as: UTF8.self)
            {
                tags.append(ProgrammeTag(kind: kind, text: text))
            }
            place += 8 + size + size % 2
        }
        return tags
    }

    /// Returns a WAV's chunk of all tags; no bytes if there are none.
    static func listChunk(_ tags: [ProgrammeTag]) -> [UInt8] {
        guard !tags.isEmpty else { return [] }
        let entries = tags.flatMap { tag in
            var text = Array(tag.text.utf8) + [0]
            let header = Array(tag.kind.chunk.utf8) + ByteOrder.little.bytes(text.count, 4)
            if text.count % 2 == 1 { text.append(0) }
            return header + text
        }
        return Array("LIST".utf8) + ByteOrder.little.bytes(4 + entries.count, 4) + Array("INFO".utf8)
            + entries
    }
}
