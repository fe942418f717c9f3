import Glibc

/// A period from a device into the ring: what the capturing audio thread does for ever.
struct CaptureTurn: DeviceTurn {
    /// Without a frame for so long the device counts as lost: some servers die without a word.
    private static let silentMilliseconds: Int32 = 3000

    private let ring: FrameRing
    private let state: StreamState
    private let memory: PeriodMemory

    init(memory: PeriodMemory, ring: FrameRing, state: StreamState) {
        (self.memory, self.ring, self.state) = (memory, ring, state)
    }

    /// 0, or a negative error number.
    @inline(never)
    func run(_ pcm: PCM) -> Int32 {
        let ready = pcm.wait(milliseconds: CaptureTurn.silentMilliseconds)
        guard ready > 0 else { return ready == 0 ? -ETIMEDOUT : ready }
        let count = pcm.read(into: memory.bytes)
        guard count > 0 else {
            // A plugin at the end of its file.
            if count == 0 { usleep(10_000) }
            return Int32(count)
        }
        pcm.encoding.decode(memory.bytes, count: count * pcm.channelCount, into: memory.samples)
        let kept = ring.write(memory.samples, frames: count)
        if kept < count { state.count(.lostFrames, count - kept) }
        state.signal()
        return 0
    }
}
