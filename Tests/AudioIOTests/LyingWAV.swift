/// A WAV of 16 bits with any header.
struct LyingWAV {
    /// The announced size of the data chunk.
    var announced: Int
    /// The bytes before and after the sound.
    var before: [UInt8] = []
    var after: [UInt8] = []
    var id = "RIFF"

    func bytes(_ sound: Sound) -> [UInt8] {
        let channelCount = UInt16(sound.channels.count)
        let rate = UInt32(sound.sampleRateHz)
        var bytes = Array(id.utf8) + LyingWAV.word(0xFFFF_FFFF) + Array("WAVE".utf8) + before
        bytes += Array("fmt ".utf8) + LyingWAV.word(16) + LyingWAV.half(1) + LyingWAV.half(channelCount)
        bytes += LyingWAV.word(rate) + LyingWAV.word(rate * 2 * UInt32(channelCount))
        bytes += LyingWAV.half(2 * channelCount) + LyingWAV.half(16)
        bytes += Array("data".utf8) + LyingWAV.word(UInt32(truncatingIfNeeded: announced))
        for n in 0..<sound.frameCount {
            for channel in sound.channels {
                bytes += LyingWAV.half(UInt16(bitPattern: Int16(channel[n] * 32768)))
            }
        }
        return bytes + after
    }

    static func half(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
    static func word(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    static func long(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
        Array(name.utf8) + word(UInt32(payload.count)) + payload + (payload.count % 2 == 1 ? [0] : [])
    }
}
