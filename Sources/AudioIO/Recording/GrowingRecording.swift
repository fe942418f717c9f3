import Glibc

/// A recording that cannot be had again: a WAV file that stands under its name from the start and is whole at any moment, but for the
/// last seconds. ``WAVWriter`` is for files that are there whole or not at all.
///
///     write(_:) ─▶ RecordingQueue ─▶ thread: samples every ¼ s; every second fdatasync, then the header's sizes ─▶ GrowingFile
///
/// A program that is killed loses less than 5 s, a power cut hardly more. Over 4 GiB the file becomes RF64. Where writing fails, as on
/// a full disk, the file keeps what it has and takes no more, so that it has no gap.
package final class GrowingRecording {
    private static let settleSeconds = 1.0
    /// How long ``finish()`` waits for a disk that is slow.
    private static let finishSeconds = 60

    private let path: AudioPath
    private let file: GrowingFile
    private let queue = RecordingQueue()
    private var thread: AudioThread?
    private var format = AudioFormat(sampleRateHz: 1, channelCount: 1)
    private var encoding = SampleEncoding.pcm16

    /// Makes the file, or opens one that is there, and changes nothing in it before ``begin(format:encoding:)``.
    ///
    /// Throws: `.noPermission`, `.cannotCreate`; also when another program records into it; `.unfitOutput` for a name that asks for
    /// another format.
    package init(_ path: AudioPath) throws(AudioIOError) {
        guard try SoundContainer(path) == .wav else {
            throw AudioIOError(
                .unfitOutput, path, "a recording is a WAV; end its name in .wav, and convert it later")
        }
        self.path = path
        file = try GrowingFile(path)
    }

    /// Replaces what was in the file. Called once.
    ///
    /// Precondition: a positive rate, 1 to 1024 channels. Throws: `.inputOutput` when the disk is full; `.unavailable`.
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

    /// Takes the next frames, and silence for those that are missing before them, so that the recording keeps time; hardly ever
    /// waits. Without effect once ``failure`` is there.
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

    /// Why nothing is recorded any more; nil while all is well.
    package var failure: AudioIOError? { queue.failure }

    /// Seconds of sound in the file.
    package var seconds: Double {
        let bytesPerFrame = encoding.bytesPerSample * format.channelCount
        return Double(queue.writtenBytes / bytesPerFrame) / Double(format.sampleRateHz)
    }

    /// Writes what waits, and the last header. Afterwards ``failure`` says whether the recording is whole.
    package func finish() {
        guard let thread else { return }
        queue.end()
        if !thread.join(withinSeconds: GrowingRecording.finishSeconds) {
            queue.fail(AudioIOError(.inputOutput, path, "the disk has not taken its end for a minute"))
        }
        self.thread = nil
    }

    deinit { finish() }

    /// The thread: until the queue is at its end, or the file takes no more.
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
            // The first failure is the one to tell: on a full disk this one succeeds, on a broken one it cannot.
            do throws(AudioIOError) { try file.finish() } catch { queue.fail(error) }
        }
    }

    private static var monotonicSeconds: Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
    }
}
