import Glibc

/// A period from a device into the ring: what the capturing audio thread does for ever.
struct CaptureTurn: DeviceTurn {
    private let ring: FrameRing
    private let state: StreamState
    private let memory: PeriodMemory

    init(memory: PeriodMemory, ring: FrameRing, state: StreamState) {
        (self.memory, self.ring, self.state) = (memory, ring, state)
    }

    /// 0, or a negative error number.
    @inline(never)
    func run(_ pcm: PCM) -> Int32 {
        let code = wait(for: pcm, state)
        guard code == 0 else { return code }
        let count = pcm.read(into: memory.bytes)
        guard count > 0 else {
            // A plugin at the end of its file.
            if count == 0 { usleep(10_000) }
            return Int32(count)
        }
        pcm.encoding.decode(memory.bytes, count: count * pcm.channelCount, into: memory.samples)
        let kept = ring.write(memory.samples, frames: count)
        if kept < count { state.count(.lostFrames, count - kept) }
        // A device without a clock: it must not keep a core from all that has no priority.
        if kept == 0 { usleep(1000) }
        state.signal()
        return 0
    }
}
