/// The bytes before the samples of a WAV file whose length changes: as long for an RF64 file as for a small one, so that it can be
/// replaced in place.
///
///     RIFF size WAVE | JUNK 28 …                           | fmt 16 … | data size | samples
///     RF64  −1  WAVE | ds64 28 riff-, data-, frame count 0 | fmt 16 … | data  −1  | samples     over 4 GiB
///
/// Reference: EBU Tech 3306, *MBWF / RF64* (2009), section 3.
struct GrowingHeader {
    let format: AudioFormat
    let encoding: SampleEncoding

    static let byteCount = 80

    var bytesPerFrame: Int { encoding.bytesPerSample * format.channelCount }

    /// The header before that many bytes of samples.
    func bytes(dataBytes: Int) -> [UInt8] {
        let riffBytes = GrowingHeader.byteCount - 8 + dataBytes + dataBytes % 2
        let isLarge = riffBytes > UInt32.max - 1
        var bytes = GrowingHeader.tag(isLarge ? "RF64" : "RIFF")
        bytes += GrowingHeader.number(isLarge ? 0xFFFF_FFFF : riffBytes, 4) + GrowingHeader.tag("WAVE")
        bytes += GrowingHeader.tag(isLarge ? "ds64" : "JUNK") + GrowingHeader.number(28, 4)
        for size in [riffBytes, dataBytes, dataBytes / bytesPerFrame] {
            bytes += GrowingHeader.number(isLarge ? size : 0, 8)
        }
        bytes += GrowingHeader.number(0, 4)
        bytes += GrowingHeader.tag("fmt ") + GrowingHeader.number(16, 4)
        bytes += GrowingHeader.number(encoding == .float32 ? 3 : 1, 2)
        bytes += GrowingHeader.number(format.channelCount, 2) + GrowingHeader.number(format.sampleRateHz, 4)
        bytes += GrowingHeader.number(format.sampleRateHz * bytesPerFrame, 4)
        bytes += GrowingHeader.number(bytesPerFrame, 2) + GrowingHeader.number(8 * encoding.bytesPerSample, 2)
        return bytes + GrowingHeader.tag("data") + GrowingHeader.number(isLarge ? 0xFFFF_FFFF : dataBytes, 4)
    }

    /// The header of a stream, whose end nobody knows.
    var unendingBytes: [UInt8] { WAVHeader(format: format, encoding: encoding).bytes }

    private static func tag(_ name: StaticString) -> [UInt8] { name.withUTF8Buffer { Array($0) } }

    private static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
