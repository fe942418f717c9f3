import CSndFile
import Glibc

/// A FLAC file that appears whole or not at all; libsndfile writes it.
final class FLACOutput {
    private let path: AudioPath
    private let output: OutputFile
    private let handle: OpaquePointer
    private var isOpen = true
    private let channelCount: Int

    /// The most bits, and the most channels, of a FLAC.
    static let greatestBits = 24
    private static let greatestChannelCount = 8

    /// - Parameter bits: the bits of each sample: 8, 16 or 24.
    ///
    /// Throws: `.unfitOutput` for values that a FLAC cannot hold; the errors of ``OutputFile``.
    init(
        _ path: AudioPath, inputs: [AudioPath], sampleRateHz: Int, channelCount: Int, bits: Int,
        tags: [ProgrammeTag]
    ) throws(AudioIOError) {
        (self.path, self.channelCount) = (path, channelCount)
        var info = SF_INFO()
        info.samplerate = Int32(clamping: sampleRateHz)
        info.channels = Int32(channelCount)
        let subtype = bits <= 8 ? SF_FORMAT_PCM_S8 : bits <= 16 ? SF_FORMAT_PCM_16 : SF_FORMAT_PCM_24
        info.format = Int32(SF_FORMAT_FLAC) | Int32(subtype)
        guard channelCount <= FLACOutput.greatestChannelCount, sf_format_check(&info) != 0 else {
            throw AudioIOError(
                .unfitOutput, path,
                "a FLAC holds no \(channelCount) channels at \(sampleRateHz) Hz; name a .wav")
        }
        output = try OutputFile(path, inputs: inputs)
        guard
            let handle = sf_open_fd(
                fcntl(output.descriptor.raw, F_DUPFD_CLOEXEC, 0), Int32(SFM_WRITE), &info, 1)
        else {
            throw AudioIOError(.cannotCreate, path, "libsndfile cannot make a FLAC: \(FLACOutput.words(nil))")
        }
        self.handle = handle
        // libsndfile puts tags that come before the first sample into the file's head.
        for tag in tags { sf_set_string(handle, tag.kind.number, tag.text) }
    }

    deinit { if isOpen { sf_close(handle) } }

    /// Writes whole frames of 32-bit samples; their highest bits are kept.
    func write(_ samples: [Int32]) throws(AudioIOError) {
        let count = sf_count_t(samples.count / channelCount)
        errno = 0
        guard sf_writef_int(handle, samples, count) == count else { throw failure(handle) }
    }

    func finish() throws(AudioIOError) {
        errno = 0
        isOpen = false
        guard sf_close(handle) == 0 else { throw failure(nil) }
        try output.commit()
    }

    /// Returns the error. The system's reason, if it has one, says more than the library's.
    private func failure(_ handle: OpaquePointer?) -> AudioIOError {
        let code = errno
        guard code == 0 else { return output.descriptor.writeFailure(code) }
        return AudioIOError(.inputOutput, path, "writing failed: \(FLACOutput.words(handle))")
    }

    private static func words(_ handle: OpaquePointer?) -> String {
        String(cString: sf_strerror(handle)).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

/// A writer of frames as a FLAC of 16 bits. Counterpart: ``WAVReader``.
public final class FLACWriter: AudioSink {
    public let format: AudioFormat
    private let output: FLACOutput

    /// - Parameter inputs: the files that are read before or during the writing; none of them is replaced.
    ///
    /// Throws: `.unfitOutput` for rates and channel counts that a FLAC cannot hold; `.noPermission`,
    ///   `.wouldReplaceInput`, `.cannotCreate`.
    public init(_ path: AudioPath, format: AudioFormat, inputs: [AudioPath] = []) throws(AudioIOError) {
        self.format = format
        output = try FLACOutput(
            path, inputs: inputs, sampleRateHz: format.sampleRateHz, channelCount: format.channelCount,
            bits: 16, tags: [])
    }

    public func write(_ block: AudioBlock) throws(AudioIOError) {
        var samples = [Int32](repeating: 0, count: block.frameCount * block.channelCount)
        for channel in 0..<block.channelCount {
            block.withChannel(channel) { values in
                for n in values.indices {
                    samples[n * block.channelCount + channel] =
                        SampleEncoding.pcm16.integer(values[n]) << 16
                }
            }
        }
        try output.write(samples)
    }

    public func finish() throws(AudioIOError) { try output.finish() }
}
