/// The bytes before the samples of a WAV file.
///
///     RIFF size WAVE | fmt  size … | fact 4 frames (float only) | data size | samples
///
/// Reference: Microsoft, *Multimedia Programming Interface and Data Specifications 1.0* (1991), and the
/// *New Multimedia Data Types* revision (1994) for the fact chunk.
struct WAVHeader {
    var format: AudioFormat
    var encoding: SampleEncoding

    /// The most sample bytes a WAV can count.
    static let maximumDataBytes = Int(UInt32.max) - 64

    var bytesPerFrame: Int { encoding.bytesPerSample * format.channelCount }

    /// The header for `format.frameCount` frames; with nil, or too many to count, the sizes say "until the end".
    var bytes: [UInt8] {
        let isFloat = encoding == .float32
        let headBytes = isFloat ? 58 : 44
        let counted = format.frameCount.map { $0 * bytesPerFrame }.flatMap {
            $0 <= WAVHeader.maximumDataBytes ? $0 : nil
        }
        var bytes = WAVHeader.tag("RIFF")
        bytes += WAVHeader.word(counted.map { UInt32(headBytes - 8 + $0 + $0 % 2) } ?? .max)
        bytes += WAVHeader.tag("WAVE") + WAVHeader.tag("fmt ") + WAVHeader.word(isFloat ? 18 : 16)
        bytes += WAVHeader.half(isFloat ? 3 : 1) + WAVHeader.half(UInt16(format.channelCount))
        bytes += WAVHeader.word(UInt32(format.sampleRateHz))
        bytes += WAVHeader.word(UInt32(truncatingIfNeeded: format.sampleRateHz * bytesPerFrame))
        bytes += WAVHeader.half(UInt16(bytesPerFrame)) + WAVHeader.half(UInt16(8 * encoding.bytesPerSample))
        if isFloat {
            bytes += WAVHeader.half(0) + WAVHeader.tag("fact") + WAVHeader.word(4)
            bytes += WAVHeader.word(counted.map { UInt32($0 / bytesPerFrame) } ?? .max)
        }
        return bytes + WAVHeader.tag("data") + WAVHeader.word(counted.map(UInt32.init) ?? .max)
    }

    private static func tag(_ name: StaticString) -> [UInt8] {
        name.withUTF8Buffer { Array($0) }
    }
    private static func half(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
    private static func word(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
