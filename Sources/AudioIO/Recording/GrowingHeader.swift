/// The bytes before the samples of a WAV file whose length changes. They are as long for an RF64 file as for
/// a small one, so that the header can be replaced in place.
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

    /// Returns the header for that many bytes of samples.
    func bytes(dataBytes: Int) -> [UInt8] {
        let riffBytes = GrowingHeader.byteCount - 8 + dataBytes + dataBytes % 2
        let isLarge = riffBytes > UInt32.max - 1
        var bytes = Array((isLarge ? "RF64" : "RIFF").utf8)
        bytes += ByteOrder.little.bytes(isLarge ? 0xFFFF_FFFF : riffBytes, 4) + Array("WAVE".utf8)
        bytes += Array((isLarge ? "ds64" : "JUNK").utf8) + ByteOrder.little.bytes(28, 4)
        for size in [riffBytes, dataBytes, dataBytes / bytesPerFrame] {
            bytes += ByteOrder.little.bytes(isLarge ? size : 0, 8)
        }
        bytes += ByteOrder.little.bytes(0, 4)
        bytes += Array("fmt ".utf8) + ByteOrder.little.bytes(16, 4)
        bytes += ByteOrder.little.bytes(encoding == .float32 ? 3 : 1, 2)
        bytes +=
            ByteOrder.little.bytes(format.channelCount, 2) + ByteOrder.little.bytes(format.sampleRateHz, 4)
        bytes += ByteOrder.little.bytes(format.sampleRateHz * bytesPerFrame, 4)
        bytes +=
            ByteOrder.little.bytes(bytesPerFrame, 2) + ByteOrder.little.bytes(8 * encoding.bytesPerSample, 2)
        return bytes + Array("data".utf8) + ByteOrder.little.bytes(isLarge ? 0xFFFF_FFFF : dataBytes, 4)
    }

    /// The header of a stream, whose end is unknown.
    var unendingBytes: [UInt8] { WAVHeader(format: format, encoding: encoding).bytes }
}
