import Glibc

/// A period from the ring to a device, silence where the ring is empty: what the playing audio thread does for ever. Asks for
/// no memory and takes no locks; plain pointers, as ``FrameRing``.
struct PlaybackTurn: @unchecked Sendable {
    /// That a writer has where a device holds nothing, as those without a clock.
    private static let leastMilliseconds = 5

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

    /// Gives a writer that is late the time that the device has: what it holds, but for two periods.
    private func waitForFrames(_ pcm: PCM) {
        guard ring.count < pcm.periodFrames else { return }
        let spare = 1000 * (pcm.queuedFrames - 2 * pcm.periodFrames) / pcm.sampleRateHz
        for _ in 0..<max(PlaybackTurn.leastMilliseconds, spare) where ring.count < pcm.periodFrames {
            usleep(1000)
        }
    }

    /// 0, or a negative error number; what was not taken then is lost.
    func run(_ pcm: PCM) -> Int32 {
        waitForFrames(pcm)
        let count = ring.read(into: samples, frames: pcm.periodFrames)
        let missing = pcm.periodFrames - count
        (samples + count * pcm.channelCount).update(repeating: 0, count: missing * pcm.channelCount)
        state.signal()
        pcm.encoding.encode(samples, count: pcm.periodFrames * pcm.channelCount, into: bytes)
        var done = 0
        while done < pcm.periodFrames {
            let count = pcm.write(bytes + done * pcm.bytesPerFrame, frames: pcm.periodFrames - done)
            guard count >= 0 else {
                state.count(.lostFrames, pcm.periodFrames - done)
                return Int32(count)
            }
            done += count
        }
        return 0
    }
}
