import AudioIO
import CommandOutput

/// A recording of unknown length: it ends where a WAV file is full, and says so.
struct LiveRecording {
    private static let fullBytes = 0xFFFF_0000
    private let writer: WAVWriter
    private let mostFrames: Int
    private var isFull = false

    init(_ path: AudioPath, format: AudioFormat) throws(AudioIOError) {
        writer = try WAVWriter(path, format: format, encoding: .pcm16)
        mostFrames = LiveRecording.fullBytes / (SampleEncoding.pcm16.bytesPerSample * format.channelCount)
    }

    mutating func write(_ block: AudioBlock) throws(AudioIOError) {
        guard !isFull else { return }
        guard writer.frameCount + block.frameCount <= mostFrames else {
            isFull = true
            return StandardError.write(
                "\(writer.path): is full with 4 GiB; recording ends, listening goes on")
        }
        try writer.write(block)
    }

    func finish() throws(AudioIOError) { try writer.finish() }
}
