import Glibc

/// The work of a capturing audio thread: it moves one period from a device into the ring. It records missing
/// frames as a gap of the ring.
struct CaptureTurn: DeviceTurn {
    /// The share of the device's buffer, in percent, that may fill while the thread waits for a reader.
    private static let patienceShare = 25

    private let ring: FrameRing
    private let state: StreamState
    private let memory: PeriodMemory
    private var clock: CaptureClock
    /// True if the device has stopped since the last frames.
    private var isBroken = false
    /// The position in the ring from which frames are held, until it is known how many are missing before
    /// them; `nil` if none are held.
    private var heldFrom: Int?

    init(_ pcm: PCM, memory: PeriodMemory, ring: FrameRing, state: StreamState) {
        (self.memory, self.ring, self.state) = (memory, ring, state)
        clock = CaptureClock(sampleRateHz: pcm.sampleRateHz, startSeconds: CaptureTurn.nowSeconds)
    }

    /// The time of a clock that goes on while the machine sleeps.
    private static var nowSeconds: Double {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return Double(now.tv_sec) + 1e-9 * Double(now.tv_nsec)
    }

    /// Returns 0, or a negative error number.
    @inline(never)
    mutating func run(_ pcm: PCM) -> Int32 {
        let code = wait(for: pcm, state)
        guard code == 0 else { return failed(code) }
        waitForRoom(pcm)
        let count = pcm.read(into: memory.bytes)
        guard count > 0 else {
            // This is a plugin at the end of its file.
            if count == 0 { usleep(10_000) }
            return failed(Int32(count))
        }
        pcm.encoding.decode(memory.bytes, count: count * pcm.channelCount, into: memory.samples)
        let position = ring.end
        let kept = ring.append(memory.samples, frames: count)
        settle(clock.add(count, atSeconds: CaptureTurn.nowSeconds, isBroken: isBroken), from: position)
        isBroken = false
        if kept < count {
            ring.skip(frames: count - kept)
            state.count(.lostFrames, count - kept)
        }
        // The ring is full, as with a device without a clock: the thread must not keep a core from threads
        // without priority.
        if kept == 0 { usleep(1000) }
        state.signal()
        return 0
    }

    /// Gives a late reader, as after a stall of the program, a part of the time that the device's buffer
    /// allows.
    private mutating func waitForRoom(_ pcm: PCM) {
        guard ring.freeCount < pcm.periodFrames else { return }
        release()
        let milliseconds = CaptureTurn.patienceShare * 1000 * pcm.bufferFrames / pcm.sampleRateHz / 100
        for _ in 0..<milliseconds where ring.freeCount < pcm.periodFrames && state[.stop] == 0 {
            usleep(1000)
        }
    }

    private mutating func failed(_ code: Int32) -> Int32 {
        if code < 0, code != -EINTR, code != -EAGAIN {
            isBroken = true
            release()
        }
        return code
    }

    private mutating func release() { settle(clock.release(), from: ring.end) }

    /// - Parameter position: the position in the ring before the frames of the verdict, unless some are held
    ///   before them.
    private mutating func settle(_ verdict: CaptureClock.Verdict, from position: Int) {
        let first = heldFrom ?? position
        switch verdict {
        case .held:
            heldFrom = first
            return
        case .whole: break
        case .missing(let count):
            ring.skip(frames: count, before: first)
            state.count(.lostFrames, count)
        }
        heldFrom = nil
        ring.publish()
    }
}
