import Glibc

/// A loudspeaker, or whatever an ALSA PCM plays to. Opposite: ``ALSACapture``.
///
///     write(_:) ─▶ FrameRing ─ period ─▶ audio thread ─▶ device
///
/// The device never runs dry: where there is nothing to play, silence is played. What was written is heard a ring and a
/// buffer later at most. A device that was lost is opened again; what was to be heard meanwhile is not.
public final class ALSAPlayback: AudioSink {
    /// What waits to be played, over a period.
    private static let ringPeriods = 4

    public let format: AudioFormat
    public let encoding: PCMEncoding
    public let periodFrames: Int
    public let bufferFrames: Int

    private let ring: FrameRing
    private let state: StreamState
    private let thread: AudioThread
    private var interleaved: [Float]

    /// Opens a device; it plays silence from now on.
    ///
    /// Throws: `.unavailable` when there is no such device, it is in use or cannot play; `.noPermission`.
    public init(_ name: String = "default", _ request: PCMRequest = .playback) throws(AudioIOError) {
        let pcm = try PCM(name, .playback, request)
        format = AudioFormat(sampleRateHz: pcm.sampleRateHz, channelCount: pcm.channelCount)
        (encoding, periodFrames, bufferFrames) = (pcm.encoding, pcm.periodFrames, pcm.bufferFrames)
        ring = FrameRing(
            channelCount: pcm.channelCount, atLeast: ALSAPlayback.ringPeriods * pcm.periodFrames)
        state = StreamState()
        interleaved = [Float](repeating: 0, count: pcm.periodFrames * pcm.channelCount)
        let worker = DeviceWorker(name: name, request: request, state: state)
        let (ring, state) = (ring, state)
        thread = try AudioThread(.device(name)) { ALSAPlayback.run(worker, pcm, ring, state) }
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
                    throw AudioIOError(.inputOutput, .device("playback"), "has been stopped")
                }
                _ = state.wait(milliseconds: 1000)
            }
            first += count
        }
    }

    /// Plays all that was written, and closes the device.
    public func finish() throws(AudioIOError) {
        while ring.count > 0, state[.ended] == 0 { _ = state.wait(milliseconds: 100) }
        state[.drain] = 1
        stop()
    }

    /// Closes the device; what it holds is cut off. False when the driver hangs.
    @discardableResult
    public func stop() -> Bool {
        state[.stop] = 1
        return thread.join(withinSeconds: 2)
    }

    /// The audio thread.
    private static func run(_ worker: DeviceWorker, _ first: PCM, _ ring: FrameRing, _ state: StreamState) {
        let period = first.periodFrames
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: period * first.bytesPerFrame, alignment: 16)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: period * first.channelCount)
        samples.initialize(repeating: 0, count: period * first.channelCount)
        worker.run(first) { pcm in
            let count = ring.read(into: samples, frames: pcm.periodFrames)
            let missing = pcm.periodFrames - count
            (samples + count * pcm.channelCount).update(repeating: 0, count: missing * pcm.channelCount)
            state.signal()
            pcm.encoding.encode(samples, count: pcm.periodFrames * pcm.channelCount, into: bytes)
            var done = 0
            while done < pcm.periodFrames {
                let count = pcm.write(bytes + done * pcm.bytesPerFrame, frames: pcm.periodFrames - done)
                guard count >= 0 else { return Int32(count) }
                done += count
            }
            return 0
        }
        bytes.deallocate()
        samples.deallocate()
    }
}
