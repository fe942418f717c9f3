import Glibc

/// A period from a device into the ring: what the capturing audio thread does for ever. Asks for no memory and takes no locks;
/// plain pointers, as ``FrameRing``.
struct CaptureTurn: @unchecked Sendable {
    /// Without a frame for so long the device counts as lost: some servers die without a word.
    private static let silentMilliseconds: Int32 = 3000

    private let ring: FrameRing
    private let state: StreamState
    private let bytes: UnsafeMutableRawPointer
    private let samples: UnsafeMutablePointer<Float>

    /// - Parameter first: the device; one that takes its place later has no longer periods and no larger samples.
    init(first: PCM, ring: FrameRing, state: StreamState) {
        (self.ring, self.state) = (ring, state)
        bytes = .allocate(byteCount: first.periodFrames * first.bytesPerFrame, alignment: 16)
        samples = .allocate(capacity: first.periodFrames * first.channelCount)
        samples.initialize(repeating: 0, count: first.periodFrames * first.channelCount)
    }

    func free() {
        bytes.deallocate()
        samples.deallocate()
    }

    /// 0, or a negative error number.
    func run(_ pcm: PCM) -> Int32 {
        let ready = pcm.wait(milliseconds: CaptureTurn.silentMilliseconds)
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
}
