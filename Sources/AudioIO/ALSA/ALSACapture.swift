import Glibc

/// A microphone, or whatever an ALSA PCM captures from. Opposite: ``ALSAPlayback``.
///
///     device ─ period ─▶ audio thread ─ FrameRing ─▶ read(into:)
///
/// It goes on for ever: a device that was lost is opened again, and what came meanwhile is missing.
public final class ALSACapture: AudioSource {
    /// What the ring holds: as long as this, the reader may be busy with something else.
    private static let ringSeconds = 4.0
    /// Without a frame for so long the device counts as lost: some servers die without a word.
    private static let silentMilliseconds: Int32 = 3000

    /// How long a reader waits for frames before it may look around.
    private static let patienceMilliseconds = 200

    public let format: AudioFormat
    public let encoding: PCMEncoding
    public let periodFrames: Int
    public let bufferFrames: Int
    public var replacedSampleCount: Int { 0 }

    private let ring: FrameRing
    private let state: StreamState
    private let thread: AudioThread
    private var interleaved: [Float]

    /// Opens a device and begins to capture.
    ///
    /// Throws: `.unavailable` when there is no such device, it is in use or cannot capture; `.noPermission`.
    public init(_ name: String = "default", _ request: PCMRequest = .capture) throws(AudioIOError) {
        let pcm = try PCM(name, .capture, request)
        let started = pcm.start()
        guard started >= 0 else {
            pcm.close()
            throw PCMError.opening(name, .capture, started)
        }
        format = AudioFormat(sampleRateHz: pcm.sampleRateHz, channelCount: pcm.channelCount)
        (encoding, periodFrames, bufferFrames) = (pcm.encoding, pcm.periodFrames, pcm.bufferFrames)
        ring = FrameRing(
            channelCount: pcm.channelCount,
            atLeast: Int(ALSACapture.ringSeconds * Double(pcm.sampleRateHz)))
        state = StreamState()
        interleaved = [Float](repeating: 0, count: pcm.periodFrames * pcm.channelCount)
        let worker = DeviceWorker(name: name, request: request, state: state)
        let (ring, state) = (ring, state)
        thread = try AudioThread(.device(name)) { ALSACapture.run(worker, pcm, ring, state) }
    }

    deinit {
        // A driver that hangs keeps what it may still write to.
        guard stop() else { return }
        ring.free()
        state.free()
    }

    /// What happened to the stream so far.
    public var health: StreamHealth { StreamHealth(state) }

    /// Frames that wait to be read: how far behind the reader is.
    public var waitingFrames: Int { ring.count }

    /// Fills `block` with what has come, waiting for something to come. No frames, and true, while the device is lost or
    /// silent for longer than a moment, so that the caller may look around; false after ``stop()``.
    public func read(into block: inout AudioBlock) throws(AudioIOError) -> Bool {
        while ring.count == 0, state[.ended] == 0 {
            guard state.wait(milliseconds: ALSACapture.patienceMilliseconds) else { break }
        }
        var filled = 0
        while filled < block.capacity {
            let wanted = min(block.capacity - filled, periodFrames)
            let count = interleaved.withUnsafeMutableBufferPointer {
                ring.read(into: $0.baseAddress!, frames: wanted)
            }
            guard count > 0 else { break }
            block.resize(to: filled + count)
            interleaved.withUnsafeBufferPointer { block.place($0.baseAddress!, frames: count, at: filled) }
            filled += count
        }
        block.resize(to: filled)
        return filled > 0 || state[.ended] == 0
    }

    /// Ends the stream; what has come can still be read. False when the driver hangs.
    @discardableResult
    public func stop() -> Bool {
        state[.stop] = 1
        return thread.join(withinSeconds: 1)
    }

    /// The audio thread.
    private static func run(_ worker: DeviceWorker, _ first: PCM, _ ring: FrameRing, _ state: StreamState) {
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: first.periodFrames * first.bytesPerFrame, alignment: 16)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: first.periodFrames * first.channelCount)
        samples.initialize(repeating: 0, count: first.periodFrames * first.channelCount)
        worker.run(first) { pcm in
            let ready = pcm.wait(milliseconds: silentMilliseconds)
            guard ready > 0 else { return ready == 0 ? -ETIMEDOUT : ready }
            let count = pcm.read(into: bytes)
            guard count > 0 else {
                // A plugin at the end of its file.
                if count == 0 { usleep(10_000) }
                return Int32(count)
            }
            pcm.encoding.decode(bytes, count: count * pcm.channelCount, into: samples)
            let kept = ring.write(samples, frames: count)
            if kept < count { state.count(.lostFrames, count - kept) }
            state.signal()
            return 0
        }
        bytes.deallocate()
        samples.deallocate()
    }
}
