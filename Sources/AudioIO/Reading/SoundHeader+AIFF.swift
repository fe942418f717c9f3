import CSndFile

/// The chunks before the samples of AIFF, AIFF-C and CAF, and the header of AU.
///
/// Reference: Apple, *Audio Interchange File Format* 1.3 (1989) and its AIFF-C draft (1991); Apple, *Core
/// Audio Format Specification* 1.0 (2005); Sun, `audio.h` (AU).
extension SoundHeader {
    private static let longestFormat = 4096

    /// Reads a header of AIFF; also returns `nil` if the samples come before the chunk that describes their
    /// storage.
    static func aiff(_ stream: ByteStream, _ path: AudioPath) throws(AudioIOError) -> SoundHeader? {
        let isPlain = text(stream.take(12), 8..<12) == "AIFF"
        var header: SoundHeader?
        while true {
            let bytes = stream.take(8)
            guard bytes.count == 8 else { throw endsEarly(path) }
            guard let head = ChunkStyle.aiff.head(bytes[...]) else { return nil }
            switch head.name {
            case "COMM":
                let format = stream.take(min(head.size ?? 0, longestFormat))
                header = SoundHeader(common: format, isPlain: isPlain)
                guard header != nil else { return nil }
                leave(stream, .aiff, head, taken: format.count)
            case "SSND":
                guard var header else { return nil }
                let offset = ByteOrder.big.number(stream.take(8).prefix(4))
                stream.skip(offset)
                // Streams write 0 and other sizes that are less than the first eight bytes alone.
                header.announcedBytes = head.size.map { max(0, $0 - 8 - offset) }
                header.chunks = .aiff
                return header
            default: leave(stream, .aiff, head, taken: 0)
            }
        }
    }

    /// - Parameter common: the payload of `COMM`.
    private init?(common: [UInt8], isPlain: Bool) {
        guard common.count >= 18 else { return nil }
        func number(_ first: Int, _ count: Int) -> Int {
            ByteOrder.big.number(common.dropFirst(first).prefix(count))
        }
        channelCount = number(0, 2)
        bytesPerSample = (number(6, 2) + 7) / 8
        // The rate is an extended float: 2^(e − 16383) × m ÷ 2^63.
        let exponent = number(8, 2) - 16383
        guard (0...62).contains(exponent) else { return nil }
        sampleRateHz = Int(
            truncatingIfNeeded: UInt64(bitPattern: Int64(number(10, 8))) >> UInt64(63 - exponent))
        order = .big
        let kind = isPlain ? "NONE" : SoundHeader.text(common, 18..<22)
        switch (kind, bytesPerSample) {
        case ("NONE", 1...4), ("twos", 1...4), ("in24", 3), ("in32", 4), ("sowt", 1...4):
            subtype = SoundHeader.integers(bytes: bytesPerSample, isUnsigned8: false) ?? 0
            if kind == "sowt" { order = .little }
        case ("fl32", 4), ("FL32", 4): subtype = Int(SF_FORMAT_FLOAT)
        case ("fl64", 8), ("FL64", 8): subtype = Int(SF_FORMAT_DOUBLE)
        default: return nil
        }
    }

    static func caf(_ stream: ByteStream, _ path: AudioPath) throws(AudioIOError) -> SoundHeader? {
        stream.skip(8)
        var header: SoundHeader?
        while true {
            let bytes = stream.take(12)
            guard bytes.count == 12 else { throw endsEarly(path) }
            guard let head = ChunkStyle.caf.head(bytes[...]) else { return nil }
            switch head.name {
            case "desc":
                let format = stream.take(min(head.size ?? 0, longestFormat))
                header = SoundHeader(description: format)
                guard header != nil else { return nil }
                leave(stream, .caf, head, taken: format.count)
            case "data":
                guard var header else { return nil }
                stream.skip(4)  // the edit count
                header.announcedBytes = head.size.map { max(0, $0 - 4) }
                header.chunks = .caf
                return header
            default:
                guard head.size != nil else { return nil }
                leave(stream, .caf, head, taken: 0)
            }
        }
    }

    /// - Parameter description: the payload of `desc`.
    private init?(description: [UInt8]) {
        guard description.count >= 32 else { return nil }
        func number(_ first: Int, _ count: Int) -> Int {
            ByteOrder.big.number(description.dropFirst(first).prefix(count))
        }
        let rate = Double(bitPattern: UInt64(bitPattern: Int64(number(0, 8))))
        guard rate >= 1, rate < 1e9 else { return nil }
        sampleRateHz = Int(rate.rounded())
        let flags = number(12, 4)
        let frameBytes = number(16, 4)
        channelCount = number(24, 4)
        guard channelCount > 0, channelCount <= 1024, frameBytes % channelCount == 0 else { return nil }
        bytesPerSample = frameBytes / channelCount
        order = flags & 2 == 0 ? .big : .little
        switch (SoundHeader.text(description, 8..<12), flags & 1, bytesPerSample) {
        case ("lpcm", 0, 1...4):
            subtype = SoundHeader.integers(bytes: bytesPerSample, isUnsigned8: false) ?? 0
        case ("lpcm", 1, 4): subtype = Int(SF_FORMAT_FLOAT)
        case ("lpcm", 1, 8): subtype = Int(SF_FORMAT_DOUBLE)
        case ("ulaw", _, 1): subtype = Int(SF_FORMAT_ULAW)
        case ("alaw", _, 1): subtype = Int(SF_FORMAT_ALAW)
        default: return nil
        }
    }

    /// Reads a header of AU; returns `nil` if it is too short, or if libsndfile has to read its encoding.
    static func au(_ stream: ByteStream) -> SoundHeader? {
        let bytes = stream.take(24)
        guard bytes.count == 24 else { return nil }
        let order: ByteOrder = text(bytes, 0..<4) == ".snd" ? .big : .little
        let words = (0..<6).map { order.number(bytes[4 * $0..<4 * $0 + 4]) }
        guard words[1] >= 24 else { return nil }
        let (subtype, width): (Int32, Int)
        switch words[3] {
        case 1: (subtype, width) = (Int32(SF_FORMAT_ULAW), 1)
        case 2: (subtype, width) = (Int32(SF_FORMAT_PCM_S8), 1)
        case 3: (subtype, width) = (Int32(SF_FORMAT_PCM_16), 2)
        case 4: (subtype, width) = (Int32(SF_FORMAT_PCM_24), 3)
        case 5: (subtype, width) = (Int32(SF_FORMAT_PCM_32), 4)
        case 6: (subtype, width) = (Int32(SF_FORMAT_FLOAT), 4)
        case 7: (subtype, width) = (Int32(SF_FORMAT_DOUBLE), 8)
        case 27: (subtype, width) = (Int32(SF_FORMAT_ALAW), 1)
        default: return nil
        }
        stream.skip(words[1] - 24)
        return SoundHeader(
            sampleRateHz: words[4], channelCount: words[5], subtype: Int(subtype), order: order,
            bytesPerSample: width, announcedBytes: words[2] == 0xFFFF_FFFF ? nil : words[2], chunks: nil)
    }
}
