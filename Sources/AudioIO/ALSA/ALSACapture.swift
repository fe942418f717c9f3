/// A microphone, or anything else that an ALSA PCM captures from. Counterpart: ``ALSAPlayback``.
///
///     device ─ period ─▶ audio thread ─ FrameRing ─▶ read(into:)
///
/// It goes on for ever: a lost device is opened again. Frames are missing if they sounded meanwhile, if the
/// device lost them, or if they found no room. ``AudioBlock/missingFrames`` says how many, so that a reader
/// that counts them keeps time.
public final class ALSACapture: AudioSource {
    /// The length of the ring: the reader may be busy with other work for so long.
    private static let ringSeconds = 1.0

    /// The longest wait for frames, after which the reader can do other work.
    private static let patienceMilliseconds = 200

    public var format: AudioFormat { stream.format }
    /// The encoding in which the device delivers samples: the best that it has. Frames are read as floats in
    /// any case.
    public var encoding: PCMEncoding { stream.encoding }
    /// The frames of one turn of the audio thread: the device's value nearest to
    /// ``PCMRequest/periodSeconds``.
    public var periodFrames: Int { stream.periodFrames }
    /// The frames that the device itself holds: the device's value nearest to ``PCMRequest/bufferSeconds``.
    public var bufferFrames: Int { stream.bufferFrames }
    public var replacedSampleCount: Int { 0 }

    private let stream: DeviceStream
    private var interleaved: [Float]

    /// Opens a device and begins to capture.
    ///
    /// Throws: `.unavailable` if there is no such device, or if it is in use or cannot capture;
    /// `.noPermission`.
    public init(_ name: String = "default", _ request: PCMRequest = .capture) throws(AudioIOError) {
        let pcm = try PCM(name, .capture, request)
        let started = pcm.start()
        guard started >= 0 else {
            pcm.close()
            throw PCMError.opening(name, .capture, started)
        }
        interleaved = [Float](repeating: 0, count: pcm.periodFrames * pcm.channelCount)
        stream = try DeviceStream(
            pcm, name, request, ringFrames: Int(ALSACapture.ringSeconds * Double(pcm.sampleRateHz)),
            turn: CaptureTurn.self)
    }

    /// The events of the stream so far.
    public var health: StreamHealth { StreamHealth(stream.state) }

    /// The frames that wait to be read: the reader's backlog.
    public var waitingFrames: Int { stream.ring.count }

    /// Fills `block` with the frames that have arrived, and waits for some if there are none. Returns true,
    /// without frames, while the device is lost or silent for longer than a moment, so that the caller can do
    /// other work; returns false after ``stop()``. A block ends where frames are missing, and the next one
    /// says how many.
    public func read(into block: inout AudioBlock) throws(AudioIOError) -> Bool {
        let (ring, state) = (stream.ring, stream.state)
        while ring.count == 0, state[.ended] == 0 {
            guard state.wait(milliseconds: ALSACapture.patienceMilliseconds) else { break }
        }
        block.missingFrames = ring.takeGap()
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

    /// Ends the stream; the frames that have arrived can still be read. Returns false if the driver hangs.
    @discardableResult
    public func stop() -> Bool { stream.stop() }
}
