/// The bytes of a WAV, RF64 or BW64 file before its samples, with the fields that a copy needs.
///
///     RIFF size WAVE | ds64 … (RF64 only) | bext … | fmt  … | fact … | data size │ samples | LIST … | cue …
///     └───────────────────────────── bytes ────────────────────────────────────┘
///
/// Reference: Microsoft, *Multimedia Programming Interface and Data Specifications 1.0* (1991) and
/// `WAVEFORMATEXTENSIBLE`; EBU Tech 3306 (2009) for RF64; ITU-R BS.2088 for BW64.
struct WAVHead {
    /// All bytes up to the first sample.
    var bytes: [UInt8]
    /// The positions in ``bytes`` where the contents of these chunks begin; `nil` if there is no such chunk.
    var formatStart: Int?
    var sizes64Start: Int?
    var factStart: Int?
    /// The names of the chunks so far.
    private(set) var names: [String] = []
    /// The tags, such as the title, from a `LIST` of kind `INFO`.
    private(set) var tags: [ProgrammeTag] = []
    /// The size of the contents of the `fmt ` chunk.
    private var formatBytes = 0

    /// The largest head; a file with more before its samples is no sound file.
    static let greatestByteCount = 64 << 20

    /// Creates a head from the first twelve bytes; `nil` if they are not a WAV's.
    init?(_ start: [UInt8]) {
        guard start.count == 12, Array(start[8...]) == Array("WAVE".utf8),
            ["RIFF", "RF64", "BW64"].contains(String(decoding: start[..<4], as: UTF8.self))
        else { return nil }
        bytes = start
    }

    /// Creates a head from twelve bytes that are known to be a WAV's.
    init(unchecked start: [UInt8]) { bytes = start }

    var isSixtyFour: Bool { bytes[1] != UInt8(ascii: "I") && sizes64Start != nil }

    /// Adds a chunk that was read, with header, contents and padding; for `data`, the header alone.
    mutating func append(_ chunk: [UInt8]) {
        let start = bytes.count + 8
        bytes += chunk
        let name = String(decoding: chunk[..<4], as: UTF8.self)
        names.append(name)
        switch name {
        case "LIST": tags += ProgrammeTag.all(inList: chunk[8...])
        case "fmt " where formatStart == nil:
            (formatStart, formatBytes) = (start, chunk.count - 8)
        case "ds64" where sizes64Start == nil && chunk.count >= 36: sizes64Start = start
        case "fact" where factStart == nil && chunk.count >= 12: factStart = start
        default: break
        }
    }

    // MARK: Sizes

    /// The number of bytes of samples that the header announces.
    var announcedDataBytes: Int {
        let short = word(bytes.count - 4)
        guard short == UInt32.max, isSixtyFour, let sizes64Start else { return Int(short) }
        return Int(clamping: long(sizes64Start + 8))
    }

    /// The number of bytes of the whole file that the header announces.
    var announcedFileBytes: Int {
        let short = word(4)
        guard short == UInt32.max, isSixtyFour, let sizes64Start else { return Int(short) + 8 }
        return Int(clamping: long(sizes64Start)).addingReportingOverflow(8).partialValue
    }

    /// True if the announced size is one that recorders and streams write when they do not know it.
    var isOpenEnded: Bool {
        let short = word(bytes.count - 4)
        if short == UInt32.max, isSixtyFour { return announcedDataBytes <= 0 }
        return short == 0 || (0x7FFF_0000...0x8000_FFFF).contains(short) || short >= 0xFFFF_0000
    }

    // MARK: The format

    /// The storage of the samples; `nil` if tokens cannot be mixed into such samples as they stand.
    var layout: ProgrammeLayout? {
        guard let at = formatStart, formatBytes >= 16 else { return nil }
        let (channelCount, rate) = (Int(half(at + 2)), Int(word(at + 4)))
        let (frameBytes, bits) = (Int(half(at + 12)), Int(half(at + 14)))
        guard channelCount > 0, rate > 0, frameBytes % channelCount == 0 else { return nil }
        var (tag, validBits, mask) = (half(at), bits, UInt32?.none)
        if tag == 0xFFFE {
            guard formatBytes >= 40, Array(bytes[at + 26..<at + 40]) == WAVHead.formatIdentifierEnd else {
                return nil
            }
            tag = half(at + 24)
            if half(at + 18) != 0 { validBits = Int(half(at + 18)) }
            mask = word(at + 20)
        }
        guard let stored = WAVHead.stored(tag, bytes: frameBytes / channelCount),
            (1...8 * stored.bytesPerSample).contains(validBits)
        else { return nil }
        return ProgrammeLayout(
            sampleRateHz: rate, channelCount: channelCount, stored: stored, validBits: validBits,
            channelMask: mask)
    }

    /// The bytes of `KSDATAFORMAT_SUBTYPE_…` after the two bytes of the tag.
    static let formatIdentifierEnd: [UInt8] = [
        0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
    ]

    private static func stored(_ tag: UInt16, bytes: Int) -> StoredFormat? {
        switch (tag, bytes) {
        case (1, 1): .u8
        case (1, 2): .s16
        case (1, 3): .s24
        case (1, 4): .s32
        case (3, 4): .float32
        case (3, 8): .float64
        case (6, 1): .aLaw
        case (7, 1): .muLaw
        default: nil
        }
    }

    // MARK: Little-endian

    private func half(_ at: Int) -> UInt16 { UInt16(ByteOrder.little.number(bytes[at..<at + 2])) }
    func word(_ at: Int) -> UInt32 { UInt32(ByteOrder.little.number(bytes[at..<at + 4])) }
    private func long(_ at: Int) -> UInt64 { UInt64(word(at)) | UInt64(word(at + 4)) << 32 }
}
