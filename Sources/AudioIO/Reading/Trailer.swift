/// The kind of bytes after the sound that a header announces.
struct Trailer {
    enum Kind: Sendable, Hashable {
        /// Nothing, or less than a sample and its padding.
        case end
        /// Chunks of the same file.
        case chunks
        /// The header of another recording, because files were joined.
        case recording
        /// A tag that players append.
        case tag
        /// None of these, so the sound goes on.
        case sound
    }

    let kind: Kind
    /// The number of padding bytes before it.
    let padding: Int

    private static let shortest = 8
    /// The size above which a chunk with an unknown name on a pipe counts as sound.
    private static let longestUnknown = 1 << 26
    private static let known: Set<String> = [
        "LIST", "bext", "fact", "cue ", "smpl", "inst", "PEAK", "_PMX", "iXML", "JUNK", "junk", "FLLR",
        "PAD ",
        "id3 ", "ID3 ", "afsp", "DISP", "acid", "axml", "chna", "umid", "labl", "note", "levl", "SAUR",
        "data",
        "NAME", "AUTH", "ANNO", "COMT", "MARK", "INST", "MIDI", "APPL", "(c) ", "chan", "info", "mark",
        "peak",
        "strg", "free", "kuki", "uuid", "list", "levl", "marl", "summ", "evnt",
    ]
    private static let tags = ["ID3", "TAG", "APETAGEX", "LYRICSBEGIN"]
    private static let recordings: Set<String> = ["RIFF", "RF64", "BW64", "RIFX", "FORM", "riff", "caff"]

    /// - Parameters:
    ///   - chunks: the file's layout of chunks; `nil` if it has none after its sound.
    ///   - offset: the number of bytes of sound that are still before it.
    init(_ stream: ByteStream, _ chunks: ChunkStyle?, offset: Int) {
        let headBytes = chunks?.headBytes ?? 16
        let bytes = stream.peek(offset + 8 + max(headBytes, 16)).dropFirst(offset)
        let soundBytes = (stream.position + offset) & 1
        for padding in Trailer.paddings(chunks, isOdd: soundBytes == 1) {
            let rest = bytes.dropFirst(padding)
            if rest.count < Trailer.shortest { continue }
            guard let kind = Trailer.kind(rest, chunks, left: stream.left.map { $0 - offset - padding })
            else {
                continue
            }
            (self.kind, self.padding) = (kind, padding)
            return
        }
        (kind, padding) = (bytes.count < Trailer.shortest ? .end : .sound, 0)
    }

    /// Returns the paddings to try. Headers have an even length, so an odd position needs padding, but not
    /// all writers add it.
    private static func paddings(_ chunks: ChunkStyle?, isOdd: Bool) -> [Int] {
        switch chunks {
        case .wave64?: Array(0...7)
        case .riff?, .aiff?: isOdd ? [1, 0] : [0, 1]
        case .caf?, nil: [0]
        }
    }

    private static func kind(_ bytes: ArraySlice<UInt8>, _ chunks: ChunkStyle?, left: Int?) -> Kind? {
        if tags.contains(where: { bytes.starts(with: $0.utf8) }) { return .tag }
        guard let chunks else { return nil }
        if recordings.contains(String(decoding: bytes.prefix(4), as: UTF8.self)) { return .recording }
        guard let head = chunks.head(bytes.prefix(chunks.headBytes)) else { return nil }
        if known.contains(head.name) || chunks == .wave64 { return .chunks }
        guard let size = head.size else { return nil }
        return size <= min(longestUnknown, left.map { $0 - chunks.headBytes } ?? .max) ? .chunks : nil
    }
}
