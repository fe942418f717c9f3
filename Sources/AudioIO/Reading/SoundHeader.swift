import CSndFile

/// The storage of a recording's samples and their beginning, from a header that this package reads itself:
/// WAV and its relatives, AIFF, AU and CAF with plain samples.
///
/// The header's word counts for the kind of the samples but not for their number: ``SoundSpans`` compares
/// that with the bytes that come.
struct SoundHeader {
    var sampleRateHz: Int
    var channelCount: Int
    /// One of libsndfile's formats: `SF_FORMAT_PCM_16` …
    var subtype: Int
    var order: ByteOrder
    var bytesPerSample: Int
    /// The number of bytes of sound that the header announces; `nil` if it leaves that open.
    var announcedBytes: Int?
    /// The layout of chunks after the sound; `nil` if the format has none there.
    var chunks: ChunkStyle?

    var bytesPerFrame: Int { bytesPerSample * channelCount }

    /// Reads the header that begins here and leaves the stream at the first sample. Returns `nil`, and leaves
    /// the stream at its first byte, if libsndfile has to read the format or its encoding.
    ///
    /// Throws: `.badData` if the header ends too early or makes no sense.
    static func read(_ stream: ByteStream, _ path: AudioPath) throws(AudioIOError) -> SoundHeader? {
        let start = stream.position
        let magic = stream.peek(40)
        let header: SoundHeader?
        switch SoundHeader.text(magic, 0..<4) {
        case "RIFF", "RF64", "BW64", "RIFX":
            guard SoundHeader.text(magic, 8..<12) == "WAVE" else { return try cutOff(magic, path) }
            header = try SoundHeader.riff(stream, path)
        case "riff": header = try SoundHeader.wave64(stream, path)
        case "FORM":
            guard ["AIFF", "AIFC"].contains(SoundHeader.text(magic, 8..<12)) else {
                return try cutOff(magic, path)
            }
            header = try SoundHeader.aiff(stream, path)
        case "caff": header = try SoundHeader.caf(stream, path)
        case ".snd", "dns.": header = SoundHeader.au(stream)
        default: header = nil
        }
        guard let header else {
            guard stream.move(to: start) else {
                throw AudioIOError(
                    .badData, path, "its encoding cannot be read from a pipe; save it to a file first")
            }
            return nil
        }
        guard header.channelCount > 0, header.sampleRateHz > 0 else {
            throw AudioIOError(
                .badData, path,
                "its header says \(header.channelCount) channels at \(header.sampleRateHz) Hz; no such sound")
        }
        return header
    }

    /// Returns `nil` for a file of another kind, which libsndfile may read; throws for one that ends within
    /// its first words.
    private static func cutOff(_ magic: [UInt8], _ path: AudioPath) throws(AudioIOError) -> SoundHeader? {
        guard magic.count < 12 else { return nil }
        throw endsEarly(path)
    }

    static func endsEarly(_ path: AudioPath) -> AudioIOError {
        AudioIOError(
            .badData, path, "ends within its header, before any sound: a recording cut off; record it again")
    }

    static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        String(decoding: bytes.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
    }

    /// The description by which libsndfile reads the samples alone.
    var info: SF_INFO {
        let endian =
            switch order {
            case .little: SF_ENDIAN_LITTLE
            case .big: SF_ENDIAN_BIG
            }
        var info = SF_INFO()
        info.format = Int32(SF_FORMAT_RAW) | Int32(subtype) | Int32(endian)
        info.samplerate = Int32(clamping: sampleRateHz)
        info.channels = Int32(clamping: channelCount)
        return info
    }

    /// Returns libsndfile's format for integers of so many bytes; `nil` for other widths.
    static func integers(bytes: Int, isUnsigned8: Bool) -> Int? {
        switch bytes {
        case 1: Int(isUnsigned8 ? SF_FORMAT_PCM_U8 : SF_FORMAT_PCM_S8)
        case 2: Int(SF_FORMAT_PCM_16)
        case 3: Int(SF_FORMAT_PCM_24)
        case 4: Int(SF_FORMAT_PCM_32)
        default: nil
        }
    }
}

extension SoundHeader {
    /// Creates the header of samples without one.
    init(_ raw: RawPCM) {
        let info = raw.info
        subtype = Int(info.format) & Int(SF_FORMAT_SUBMASK)
        bytesPerSample =
            switch raw.encoding {
            case .s16: 2
            case .s24: 3
            case .s32, .f32: 4
            }
        (sampleRateHz, channelCount, order) = (raw.sampleRateHz, raw.channelCount, .little)
    }
}
