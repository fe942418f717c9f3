import Glibc

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

    public let format: AudioFormat
    public let encoding: PCMEncoding
    public let periodFrames: Int
    public let bufferFrames: Int

    private let path: AudioPath
    private let ring: FrameRing
    private let state: StreamState
    private let thread: AudioThread
    private var interleaved: [Float]

    /// Opens a device; it plays silence from now on.
    ///
    /// Throws: `.unavailable` when there is no such device, it is in use or cannot play; `.noPermission`.
    public init(_ name: String = "default", _ request: PCMRequest = .playback) throws(AudioIOError) {
        let pcm = try PCM(name, .playback, request)
        path = .device(name)
        format = AudioFormat(sampleRateHz: pcm.sampleRateHz, channelCount: pcm.channelCount)
        (encoding, periodFrames, bufferFrames) = (pcm.encoding, pcm.periodFrames, pcm.bufferFrames)
        ring = FrameRing(
            channelCount: pcm.channelCount, atLeast: ALSAPlayback.ringPeriods * pcm.periodFrames)
        state = StreamState()
        interleaved = [Float](repeating: 0, count: pcm.periodFrames * pcm.channelCount)
        let worker = DeviceWorker(name: name, request: request, state: state)
        let (ring, state) = (ring, state)
        thread = try AudioThread(.device(name)) {
            let turn = PlaybackTurn(first: pcm, ring: ring, state: state)
            worker.run(pcm) { turn.run($0) }
            turn.free()
        }
    }

    deinit {
        // A driver that hangs keeps what it may still read.
        guard stop() else { return }
        ring.free()
        state.free()
    }

    /// What happened to the stream so far.
    public var health: StreamHealth { StreamHealth(state) }

    /// Waits while there is no room. While the device is lost, time goes on all the same.
    ///
    /// Throws: `.inputOutput` after ``finish()`` or ``stop()``.
    public func write(_ block: AudioBlock) throws(AudioIOError) {
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
                    throw AudioIOError(.inputOutput, path, "has been stopped; open it again")
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
        while ring.count > 0, state[.ended] == 0, state[.lossCode] == 0 {
            _ = state.wait(milliseconds: ALSAPlayback.patienceMilliseconds)
        }
        state[.drain] = 1
        stop()
    }

    /// Closes the device; what it holds is cut off. False when the driver hangs.
    @discardableResult
    public func stop() -> Bool {
        state[.stop] = 1
        return thread.join(withinSeconds: 2)
    }
}
