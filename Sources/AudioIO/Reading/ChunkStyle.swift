/// The layout of a chunk's head, its name and its size, in a family of sound files.
///
///     RIFF, RF64   name 4 | size 4, little-endian    | payload | pad to 2
///     AIFF, RIFX   name 4 | size 4, big-endian       | payload | pad to 2
///     W64          GUID 16 | size 8, with these 24   | payload | pad to 8
///     CAF          name 4 | size 8, big-endian       | payload
enum ChunkStyle: Sendable, Hashable {
    case riff, aiff, wave64, caf

    /// The head of a chunk as it was read.
    struct Head: Hashable {
        /// The four letters of the name; for W64, the first four bytes of its GUID.
        var name: String
        /// The bytes of payload as written; `nil` if the file marks the size as unknown.
        var size: Int?
    }

    var headBytes: Int {
        switch self {
        case .riff, .aiff: 8
        case .caf: 12
        case .wave64: 24
        }
    }

    /// Returns the number of bytes from the end of a payload to the next head.
    func padding(after size: Int) -> Int {
        switch self {
        case .riff, .aiff: size & 1
        case .wave64: -size & 7
        case .caf: 0
        }
    }

    /// Parses the head of a chunk; `nil` if these bytes cannot be one.
    func head(_ bytes: ArraySlice<UInt8>) -> Head? {
        guard bytes.count >= headBytes else { return nil }
        let name = bytes.prefix(4)
        guard name.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        if self == .wave64 {
            guard bytes.dropFirst(4).prefix(12).elementsEqual(ChunkStyle.wave64Tail) else { return nil }
        }
        return Head(name: String(decoding: name, as: UTF8.self), size: size(bytes))
    }

    /// The end of every GUID of W64 but the first one's, after its four letters.
    private static let wave64Tail: [UInt8] = [
        0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A,
    ]

    private func size(_ bytes: ArraySlice<UInt8>) -> Int? {
        switch self {
        case .riff: return ByteOrder.little.number(bytes.dropFirst(4).prefix(4))
        case .aiff: return ByteOrder.big.number(bytes.dropFirst(4).prefix(4))
        case .caf: return ChunkStyle.plausible(ByteOrder.big.number(bytes.dropFirst(4).prefix(8)))
        case .wave64:
            return ChunkStyle.plausible(ByteOrder.little.number(bytes.dropFirst(16).prefix(8)))
                .map { $0 - 24 }.flatMap { $0 >= 0 ? $0 : nil }
        }
    }

    /// Returns the size; `nil` for the impossible 64-bit sizes −1 and the largest number, which mean that it
    /// is unknown.
    static func plausible(_ size: Int) -> Int? { (0..<1 << 56).contains(size) ? size : nil }
}
