import Glibc

/// A recording that cannot be repeated: a WAV file that has its name from the start and is whole at any
/// moment, except for its last seconds. ``WAVWriter`` is for files that appear whole or not at all.
///
///     write(_:) ─▶ RecordingQueue ─▶ thread: samples every ¼ s; fdatasync and sizes every second ─▶ file
///
/// A killed program loses less than 5 s, a power cut hardly more. Above 4 GiB the file becomes RF64. If
/// writing fails, as on a full disk, the file keeps its contents and takes no more, so that it has no gap.
package final class GrowingRecording {
    private static let settleSeconds = 1.0
    /// The longest time for which ``finish()`` waits for a slow disk.
    private static let finishSeconds = 60

    private let path: AudioPath
    private let file: GrowingFile
    private let queue = RecordingQueue()
    private var thread: AudioThread?
    private var format = AudioFormat(sampleRateHz: 1, channelCount: 1)
    private var encoding = SampleEncoding.pcm16

    /// Makes the file, or opens an existing one, and changes nothing in it before
    /// ``begin(format:encoding:)``.
    ///
    /// Throws: `.noPermission`; `.cannotCreate`, also if another program records into it; `.unfitOutput` for
    /// a name that asks for another format.
    package init(_ path: AudioPath) throws(AudioIOError) {
        guard try SoundContainer(path) == .wav else {
            throw AudioIOError(
                .unfitOutput, path, "a recording is a WAV; end its name in .wav, and convert it later")
        }
        self.path = path
        file = try GrowingFile(path)
    }

    /// Replaces the file's contents with an empty recording. Must be called once.
    ///
    /// Precondition: a positive rate, 1 to 1024 channels. Throws: `.inputOutput` if the disk is full;
    /// `.unavailable`.
    package func begin(format: AudioFormat, encoding: SampleEncoding = .pcm16) throws(AudioIOError) {
        precondition(format.sampleRateHz > 0 && (1...1024).contains(format.channelCount))
        precondition(thread == nil, "a recording begins once")
        (self.format, self.encoding) = (format, encoding)
        let header = GrowingHeader(format: format, encoding: encoding)
        try file.begin(header)
        queue.limit(bytesPerSecond: header.bytesPerFrame * format.sampleRateHz)
        thread = try AudioThread(path, isFirst: false) { [file, queue] in
            GrowingRecording.run(file, queue)
        }
    }

    /// Takes the next frames, and silence for those that are missing before them, so that the recording keeps
    /// time. It hardly ever waits. It has no effect once there is a ``failure``.
    ///
    /// Precondition: `block` has the recording's channels.
    package func write(_ block: AudioBlock) {
        precondition(block.channelCount == format.channelCount, "the block has the recording's channels")
        if block.missingFrames > 0 {
            queue.addSilence(
                byteCount: block.missingFrames * block.channelCount * encoding.bytesPerSample)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(block.frameCount * block.channelCount * encoding.bytesPerSample)
        for n in 0..<block.frameCount {
            for channel in 0..<block.channelCount {
                encoding.append(block.withChannel(channel) { $0[n] }, to: &bytes)
            }
        }
        if !queue.add(bytes) {
            queue.fail(AudioIOError(.inputOutput, path, "the disk has taken nothing for a minute"))
        }
    }

    /// The reason why recording has stopped; `nil` while there is no failure.
    package var failure: AudioIOError? { queue.failure }

    /// The seconds of sound in the file.
    package var seconds: Double {
        let bytesPerFrame = encoding.bytesPerSample * format.channelCount
        return Double(queue.writtenBytes / bytesPerFrame) / Double(format.sampleRateHz)
    }

    /// Writes the waiting samples and the last header. Afterwards ``failure`` is `nil` if the recording is
    /// whole.
    package func finish() {
        guard let thread else { return }
        queue.end()
        if !thread.join(withinSeconds: GrowingRecording.finishSeconds) {
            queue.fail(AudioIOError(.inputOutput, path, "the disk has not taken its end for a minute"))
        }
        self.thread = nil
    }

    deinit { finish() }

    /// Runs the thread until the queue ends, or the file takes no more.
    private static func run(_ file: GrowingFile, _ queue: RecordingQueue) {
        var settled = monotonicSeconds
        do throws(AudioIOError) {
            while let pieces = queue.next() {
                defer { queue.wrote(file.dataBytes) }
                for piece in pieces { try file.append(piece) }
                if monotonicSeconds - settled >= settleSeconds {
                    try file.settle()
                    settled = monotonicSeconds
                }
            }
            try file.finish()
        } catch {
            queue.wrote(file.dataBytes)
            queue.fail(error)
            // The first failure is the one to report: on a full disk this call succeeds, on a broken one it
            // cannot.
            do throws(AudioIOError) { try file.finish() } catch { queue.fail(error) }
        }
    }

    private static var monotonicSeconds: Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
    }
}
