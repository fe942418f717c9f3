/// The bytes before the samples of a WAV file.
///
///     RIFF size WAVE | fmt  size … | fact 4 frames (float only) | data size | samples
///
/// Reference: Microsoft, *Multimedia Programming Interface and Data Specifications 1.0* (1991), and the
/// *New Multimedia Data Types* revision (1994) for the fact chunk.
struct WAVHeader {
    var format: AudioFormat
    var encoding: SampleEncoding

    /// The largest number of sample bytes that a WAV can count.
    static let maximumDataBytes = Int(UInt32.max) - 64

    var bytesPerFrame: Int { encoding.bytesPerSample * format.channelCount }

    /// The header for `format.frameCount` frames; if that is `nil`, or too large to count, the sizes mean
    /// "until the end".
    var bytes: [UInt8] {
        let isFloat = encoding == .float32
        let headBytes = isFloat ? 58 : 44
        let counted = format.frameCount.map { $0 * bytesPerFrame }.flatMap {
            $0 <= WAVHeader.maximumDataBytes ? $0 : nil
        }
        // A size of −1 means "until the end".
        let little = ByteOrder.little.bytes
        var bytes = Array("RIFF".utf8)
        bytes += little(counted.map { headBytes - 8 + $0 + $0 % 2 } ?? -1, 4)
        bytes += Array("WAVE".utf8) + Array("fmt ".utf8) + little(isFloat ? 18 : 16, 4)
        bytes += little(isFloat ? 3 : 1, 2) + little(format.channelCount, 2)
        bytes += little(format.sampleRateHz, 4)
        bytes += little(format.sampleRateHz * bytesPerFrame, 4)
        bytes += little(bytesPerFrame, 2) + little(8 * encoding.bytesPerSample, 2)
        if isFloat {
            bytes += little(0, 2) + Array("fact".utf8) + little(4, 4)
            bytes += little(counted.map { $0 / bytesPerFrame } ?? -1, 4)
        }
        return bytes + Array("data".utf8) + little(counted ?? -1, 4)
    }
}
