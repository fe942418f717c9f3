/// A loudspeaker, or anything else that an ALSA PCM plays to. Counterpart: ``ALSACapture``.
///
///     write(_:) ─▶ FrameRing ─ period ─▶ audio thread ─▶ device
///
/// The device never runs dry: it plays silence if there is nothing to play. Written frames are heard after
/// the ring and the device's buffer at the latest. A lost device is opened again; frames that were due
/// meanwhile are not heard.
public final class ALSAPlayback: AudioSink {
    /// The longest wait of a writer before it checks whether there is still a device.
    private static let patienceMilliseconds = 100
    /// The capacity of the ring, in periods.
    private static let ringPeriods = 4

    public var format: AudioFormat { stream.format }
    /// The encoding in which the device takes samples: the best that it has. Frames are written as floats in
    /// any case.
    public var encoding: PCMEncoding { stream.encoding }
    /// The frames of one turn of the audio thread: the device's value nearest to
    /// ``PCMRequest/periodSeconds``.
    public var periodFrames: Int { stream.periodFrames }
    /// The frames that the device itself holds; written frames are heard at least so much later.
    public var bufferFrames: Int { stream.bufferFrames }

    private let stream: DeviceStream
    private var interleaved: [Float]

    /// Opens a device; it plays silence from now on.
    ///
    /// Throws: `.unavailable` if there is no such device, or if it is in use or cannot play; `.noPermission`.
    public init(_ name: String = "default", _ request: PCMRequest = .playback) throws(AudioIOError) {
        let pcm = try PCM(name, .playback, request)
        interleaved = [Float](repeating: 0, count: pcm.periodFrames * pcm.channelCount)
        stream = try DeviceStream(
            pcm, name, request, ringFrames: ALSAPlayback.ringPeriods * pcm.periodFrames,
            turn: PlaybackTurn.self)
    }

    /// The events of the stream so far.
    public var health: StreamHealth { StreamHealth(stream.state) }

    /// Writes frames, and waits while there is no room. While the device is lost, the call takes as long as
    /// the frames would sound.
    ///
    /// Throws: `.inputOutput` after ``finish()`` or ``stop()``.
    public func write(_ block: AudioBlock) throws(AudioIOError) {
        let (ring, state) = (stream.ring, stream.state)
        var first = 0
        while first < block.frameCount {
            let count = min(block.frameCount - first, periodFrames)
            interleaved.withUnsafeMutableBufferPointer {
                block.interleave(first..<first + count, into: $0.baseAddress!)
            }
            var done = 0
            while done < count {
                done += interleaved.withUnsafeBufferPointer {
                    ring.write($0.baseAddress! + done * ring.channelCount, frames: count - done)
                }
                guard done < count else { break }
                guard state[.ended] == 0 else {
                    throw AudioIOError(.inputOutput, stream.path, "has been stopped; open it again")
                }
                let isLost = state[.lossCode] != 0
                let patience = isLost ? 1000 * count / format.sampleRateHz : ALSAPlayback.patienceMilliseconds
                let isOver = !state.wait(milliseconds: patience)
                // Nobody hears the frames, but their time has passed.
                if isLost, isOver { break }
            }
            first += count
        }
    }

    /// Plays all written frames and closes the device; does not wait for a lost device.
    public func finish() throws(AudioIOError) {
        let (ring, state) = (stream.ring, stream.state)
        while ring.count > 0, state[.ended] == 0, state[.lossCode] == 0 {
            _ = state.wait(milliseconds: ALSAPlayback.patienceMilliseconds)
        }
        state[.drain] = 1
        stop()
    }

    /// Closes the device and cuts off the frames that it holds. Returns false if the driver hangs.
    @discardableResult
    public func stop() -> Bool { stream.stop() }
}
