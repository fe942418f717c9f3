/// A writer of WAV files that appear whole or not at all; it can also stream to standard output or a device.
/// Counterpart: ``WAVReader``.
///
/// A file whose announced length is unknown or wrong gets the true one in its header at the end. A stream
/// keeps the announced length, or "until the end" (sizes 0xFFFFFFFF).
public final class WAVWriter: AudioSink {
    public let format: AudioFormat
    /// The name of the file once ``finish()`` has returned; errors name it too.
    public let path: AudioPath
    /// The number of frames taken so far.
    public private(set) var frameCount = 0

    private var header: WAVHeader
    private let output: OutputFile
    private var bytes: [UInt8] = []
    private static let flushBytes = 1 << 16

    /// Precondition: a positive rate, 1 to 1024 channels.
    ///
    /// - Parameter inputs: the files that are read before or during the writing; none of them is replaced.
    ///
    /// Throws: `.unfitOutput` for the name of another format; `.noPermission`, `.wouldReplaceInput`,
    /// `.cannotCreate`, also if the announced frames are more than a WAV can hold (4 GiB).
    public init(
        _ path: AudioPath, format: AudioFormat, encoding: SampleEncoding = .pcm16,
        inputs: [AudioPath] = []
    ) throws(AudioIOError) {
        precondition(format.sampleRateHz > 0 && (1...1024).contains(format.channelCount))
        self.format = format
        self.path = path
        guard try SoundContainer(path) == .wav else {
            throw AudioIOError(.unfitOutput, path, "would be a WAV under the name of a FLAC; end it in .wav")
        }
        header = WAVHeader(format: format, encoding: encoding)
        if let count = format.frameCount, count > WAVHeader.maximumDataBytes / header.bytesPerFrame {
            throw AudioIOError(.cannotCreate, path, "a WAV holds at most 4 GiB; write a shorter one")
        }
        output = try OutputFile(path, inputs: inputs)
        bytes = header.bytes
    }

    public func write(_ block: AudioBlock) throws(AudioIOError) {
        precondition(block.channelCount == format.channelCount, "the block has the writer's channels")
        for start in stride(from: 0, to: block.frameCount, by: 4096) {
            interleave(block, start..<min(start + 4096, block.frameCount))
            if bytes.count >= WAVWriter.flushBytes { try flush() }
        }
        frameCount += block.frameCount
    }

    public func finish() throws(AudioIOError) {
        // Chunks are padded to an even length.
        if frameCount * header.bytesPerFrame % 2 == 1 { bytes.append(0) }
        try flush()
        if frameCount != format.frameCount { try correctHeader() }
        try output.commit()
    }

    private func interleave(_ block: AudioBlock, _ frames: Range<Int>) {
        let encoding = header.encoding
        if block.channelCount == 1 {
            block.withChannel(0) { for n in frames { encoding.append($0[n], to: &bytes) } }
        } else {
            for n in frames {
                for channel in 0..<block.channelCount {
                    encoding.append(block.withChannel(channel) { $0[n] }, to: &bytes)
                }
            }
        }
    }

    private func flush() throws(AudioIOError) {
        try output.descriptor.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Corrects the header. A stream cannot go back, so it keeps its first header.
    private func correctHeader() throws(AudioIOError) {
        guard output.isRewindable else { return }
        guard frameCount <= WAVHeader.maximumDataBytes / header.bytesPerFrame else {
            throw AudioIOError(.inputOutput, path, "a WAV holds at most 4 GiB; write a shorter one")
        }
        header.format.frameCount = frameCount
        try output.descriptor.rewind()
        try output.descriptor.write(header.bytes)
    }
}
