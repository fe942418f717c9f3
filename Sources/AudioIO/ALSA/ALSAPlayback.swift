/// A loudspeaker, or whatever an ALSA PCM plays to. Opposite: ``ALSACapture``.
///
///     write(_:) ─▶ FrameRing ─ period ─▶ audio thread ─▶ device
///
/// The device never runs dry: where there is nothing to play, silence is played. What was written is heard a ring and a
/// buffer later at most. A device that was lost is opened again; what was to be heard meanwhile is not.
public final class ALSAPlayback: AudioSink {
    /// How long a writer waits before it looks whether there is still a device.
    private static let patienceMilliseconds = 100
    /// What waits to be played, over a period.
    private static let ringPeriods = 4

    public var format: AudioFormat { stream.format }
    /// How the device takes samples: the best way it has. Frames are written as floats all the same.
    public var encoding: PCMEncoding { stream.encoding }
    /// Frames of one turn of the audio thread: what the device has nearest to ``PCMRequest/periodSeconds``.
    public var periodFrames: Int { stream.periodFrames }
    /// Frames that the device itself holds: what is written is heard so much later at least.
    public var bufferFrames: Int { stream.bufferFrames }

    private let stream: DeviceStream
    private var interleaved: [Float]

    /// Opens a device; it plays silence from now on.
    ///
    /// Throws: `.unavailable` when there is no such device, it is in use or cannot play; `.noPermission`.
    public init(_ name: String = "default", _ request: PCMRequest = .playback) throws(AudioIOError) {
        let pcm = try PCM(name, .playback, request)
        interleaved = [Float](repeating: 0, count: pcm.periodFrames * pcm.channelCount)
        stream = try DeviceStream(
            pcm, name, request, ringFrames: ALSAPlayback.ringPeriods * pcm.periodFrames,
            turn: PlaybackTurn.self)
    }

    /// What happened to the stream so far.
    public var health: StreamHealth { StreamHealth(stream.state) }

    /// Waits while there is no room. While the device is lost, time goes on all the same.
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
                // Nobody hears it; time goes on.
                if isLost, isOver { break }
            }
            first += count
        }
    }

    /// Plays all that was written, and closes the device; without waiting for one that is lost.
    public func finish() throws(AudioIOError) {
        let (ring, state) = (stream.ring, stream.state)
        while ring.count > 0, state[.ended] == 0, state[.lossCode] == 0 {
            _ = state.wait(milliseconds: ALSAPlayback.patienceMilliseconds)
        }
        state[.drain] = 1
        stop()
    }

    /// Closes the device; what it holds is cut off. False when the driver hangs.
    @discardableResult
    public func stop() -> Bool { stream.stop() }
}
