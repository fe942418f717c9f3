import Glibc

/// A period from the ring to a device, silence where the ring is empty: what the playing audio thread does for ever.
struct PlaybackTurn: DeviceTurn {
    /// The time that a writer has where a device holds too little.
    private static let leastMilliseconds = 5
    /// The time that a writer has where a device holds nothing, as those without a clock do: nobody hears that it waits, and on a busy
    /// machine silence would get into a frame.
    private static let clocklessMilliseconds = 100

    private let ring: FrameRing
    private let state: StreamState
    private let memory: PeriodMemory

    init(_ pcm: PCM, memory: PeriodMemory, ring: FrameRing, state: StreamState) {
        (self.memory, self.ring, self.state) = (memory, ring, state)
    }

    /// Gives a writer that is late the time that the device has: what it holds, but for two periods.
    private func waitForFrames(_ pcm: PCM) {
        guard ring.count < pcm.periodFrames else { return }
        let queued = pcm.queuedFrames
        let spare = 1000 * (queued - 2 * pcm.periodFrames) / pcm.sampleRateHz
        let least = queued == 0 ? PlaybackTurn.clocklessMilliseconds : PlaybackTurn.leastMilliseconds
        for _ in 0..<max(least, spare) where ring.count < pcm.periodFrames && state[.stop] == 0 {
            usleep(1000)
        }
    }

    /// 0, or a negative error number; what was not taken then is lost.
    @inline(never)
    func run(_ pcm: PCM) -> Int32 {
        waitForFrames(pcm)
        let code = wait(for: pcm, state)
        guard code == 0 else { return code }
        let count = ring.read(into: memory.samples, frames: pcm.periodFrames)
        let missing = pcm.periodFrames - count
        (memory.samples + count * pcm.channelCount).update(repeating: 0, count: missing * pcm.channelCount)
        state.signal()
        pcm.encoding.encode(memory.samples, count: pcm.periodFrames * pcm.channelCount, into: memory.bytes)
        var done = 0
        while done < pcm.periodFrames {
            let count = pcm.write(memory.bytes + done * pcm.bytesPerFrame, frames: pcm.periodFrames - done)
            guard count >= 0 else {
                state.count(.lostFrames, pcm.periodFrames - done)
                return Int32(count)
            }
            done += count
        }
        return 0
    }
}
