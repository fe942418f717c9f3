/// A microphone, or whatever an ALSA PCM captures from. Opposite: ``ALSAPlayback``.
///
///     device ─ period ─▶ audio thread ─ FrameRing ─▶ read(into:)
///
/// It goes on for ever: a device that was lost is opened again. What came meanwhile, what the device lost and what found no room
/// is missing; ``AudioBlock/missingFrames`` says how much, so that whoever counts it keeps time.
public final class ALSACapture: AudioSource {
    /// What the ring holds: as long as this, the reader may be busy with something else.
    private static let ringSeconds = 1.0

    /// How long a reader waits for frames before it may look around.
    private static let patienceMilliseconds = 200

    public var format: AudioFormat { stream.format }
    /// How the device delivers samples: the best way it has. Frames are read as floats all the same.
    public var encoding: PCMEncoding { stream.encoding }
    /// Frames of one turn of the audio thread: what the device has nearest to ``PCMRequest/periodSeconds``.
    public var periodFrames: Int { stream.periodFrames }
    /// Frames that the device itself holds: what it has nearest to ``PCMRequest/bufferSeconds``.
    public var bufferFrames: Int { stream.bufferFrames }
    public var replacedSampleCount: Int { 0 }

    private let stream: DeviceStream
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
        interleaved = [Float](repeating: 0, count: pcm.periodFrames * pcm.channelCount)
        stream = try DeviceStream(
            pcm, name, request, ringFrames: Int(ALSACapture.ringSeconds * Double(pcm.sampleRateHz)),
            turn: CaptureTurn.self)
    }

    /// What happened to the stream so far.
    public var health: StreamHealth { StreamHealth(stream.state) }

    /// Frames that wait to be read: how far behind the reader is.
    public var waitingFrames: Int { stream.ring.count }

    /// Fills `block` with what has come, waiting for something to come. No frames, and true, while the device is lost or
    /// silent for longer than a moment, so that the caller may look around; false after ``stop()``. A block ends where frames are
    /// missing, and the next one says how many.
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

    /// Ends the stream; what has come can still be read. False when the driver hangs.
    @discardableResult
    public func stop() -> Bool { stream.stop() }
}
