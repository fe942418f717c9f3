import CSndFile

/// The chunks before the samples of WAV, RF64, BW64, RIFX and W64.
///
/// Reference: EBU Tech 3306 (RF64 and its `ds64` chunk); ITU-R BS.2088 (BW64); Sony, *Wave64 File Format*
/// (2007).
extension SoundHeader {
    private static let longestFormat = 4096

    static func riff(_ stream: ByteStream, _ path: AudioPath) throws(AudioIOError) -> SoundHeader? {
        let isBig = text(stream.take(12), 0..<4) == "RIFX"
        return try wave(stream, path, isBig ? .aiff : .riff, isBig ? .big : .little)
    }

    static func wave64(_ stream: ByteStream, _ path: AudioPath) throws(AudioIOError) -> SoundHeader? {
        guard stream.take(40).count == 40 else { throw endsEarly(path) }
        return try wave(stream, path, .wave64, .little)
    }

    /// Walks the chunks up to `data`; returns `nil` if libsndfile has to read the encoding.
    private static func wave(
        _ stream: ByteStream, _ path: AudioPath, _ style: ChunkStyle, _ order: ByteOrder
    ) throws(AudioIOError) -> SoundHeader? {
        var format: [UInt8]?
        var longSize: Int?
        while true {
            let bytes = stream.take(style.headBytes)
            guard bytes.count == style.headBytes else { throw endsEarly(path) }
            guard let head = style.head(bytes[...]) else {
                throw AudioIOError(
                    .badData, path,
                    "its header is damaged after \(stream.position - bytes.count) bytes; for the samples alone say --raw"
                )
            }
            switch head.name {
            case "data":
                guard let format else {
                    throw AudioIOError(
                        .badData, path, "its header does not say how samples are stored; say so by --raw")
                }
                guard var header = try SoundHeader(format: format, order, path) else { return nil }
                header.chunks = style
                header.announcedBytes = head.size == 0xFFFF_FFFF ? longSize : head.size
                return header
            case "fmt ":
                format = stream.take(min(head.size ?? 0, longestFormat))
                leave(stream, style, head, taken: format?.count ?? 0)
            case "ds64":
                let sizes = stream.take(min(head.size ?? 0, 28))
                longSize = ChunkStyle.plausible(ByteOrder.little.number(sizes.dropFirst(8).prefix(8)))
                leave(stream, style, head, taken: sizes.count)
            default: leave(stream, style, head, taken: 0)
            }
        }
    }

    /// Goes to the next chunk. Some writers omit the padding byte after an odd size.
    static func leave(_ stream: ByteStream, _ style: ChunkStyle, _ head: ChunkStyle.Head, taken: Int) {
        let size = head.size ?? 0
        stream.skip(size - taken)
        let padding = style.padding(after: size)
        guard padding > 0 else { return }
        let next = stream.peek(padding + style.headBytes)
        let isUnpadded =
            style.head(next.prefix(style.headBytes)) != nil
            && style.head(next.dropFirst(padding)) == nil
        if !isUnpadded { stream.skip(padding) }
    }

    /// - Parameter format: the payload of `fmt `. The result is `nil` for encodings that libsndfile has to
    ///   read.
    private init?(format: [UInt8], _ order: ByteOrder, _ path: AudioPath) throws(AudioIOError) {
        guard format.count >= 14 else {
            throw AudioIOError(
                .badData, path, "its header does not say how samples are stored; say so by --raw")
        }
        func number(_ first: Int, _ count: Int) -> Int { order.number(format.dropFirst(first).prefix(count)) }
        var tag = number(0, 2)
        if tag == 0xFFFE, format.count >= 26 { tag = number(24, 2) }
        (channelCount, sampleRateHz, self.order) = (number(2, 2), number(4, 4), order)
        let frameBytes = number(12, 2)
        let isEven = channelCount > 0 && frameBytes > 0 && frameBytes % channelCount == 0
        let fromBits = (number(14, 2) + 7) / 8
        // The frame's width decides: 20 bits may be stored in three bytes or in four.
        let width = isEven && frameBytes / channelCount >= fromBits ? frameBytes / channelCount : fromBits
        bytesPerSample = width
        switch (tag, width) {
        case (1, 1...4): subtype = SoundHeader.integers(bytes: width, isUnsigned8: true) ?? 0
        case (3, 4): subtype = Int(SF_FORMAT_FLOAT)
        case (3, 8): subtype = Int(SF_FORMAT_DOUBLE)
        case (6, 1): subtype = Int(SF_FORMAT_ALAW)
        case (7, 1): subtype = Int(SF_FORMAT_ULAW)
        default: return nil
        }
    }
}
