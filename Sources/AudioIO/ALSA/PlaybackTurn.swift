import Glibc

/// The work of a playing audio thread: it moves one period from the ring to a device, and silence if the ring
/// is empty.
struct PlaybackTurn: DeviceTurn {
    /// The least time that a writer has, even if the device holds too few frames.
    private static let leastMilliseconds = 5
    /// The time that a writer has if the device holds nothing, as one without a clock does: nobody hears the
    /// wait, and on a busy machine silence would otherwise get into a frame.
    private static let clocklessMilliseconds = 100

    private let ring: FrameRing
    private let state: StreamState
    private let memory: PeriodMemory

    init(_ pcm: PCM, memory: PeriodMemory, ring: FrameRing, state: StreamState) {
        (self.memory, self.ring, self.state) = (memory, ring, state)
    }

    /// Gives a late writer the time that the device's queue allows, less two periods.
    private func waitForFrames(_ pcm: PCM) {
        guard ring.count < pcm.periodFrames else { return }
        let queued = pcm.queuedFrames
        let spare = 1000 * (queued - 2 * pcm.periodFrames) / pcm.sampleRateHz
        let least = queued == 0 ? PlaybackTurn.clocklessMilliseconds : PlaybackTurn.leastMilliseconds
        for _ in 0..<max(least, spare) where ring.count < pcm.periodFrames && state[.stop] == 0 {
            usleep(1000)
        }
    }

    /// Returns 0, or a negative error number; frames that the device did not take are then lost.
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
