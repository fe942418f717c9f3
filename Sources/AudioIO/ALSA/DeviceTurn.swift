import Glibc

/// The repeated work of an audio thread: it moves a period between a device and the ring. It allocates no
/// memory and takes no locks.
protocol DeviceTurn: Sendable {
    init(_ pcm: PCM, memory: PeriodMemory, ring: FrameRing, state: StreamState)

    /// Returns 0, or a negative error number. Never inlined: `Tools/check-audio-path` reads its code.
    mutating func run(_ pcm: PCM) -> Int32
}

extension DeviceTurn {
    /// The time without a moved frame after which the device counts as lost: some servers die without a
    /// report, and PipeWire keeps a stream that it cannot connect to anything.
    private static var silentMilliseconds: Int32 { 3000 }
    /// The time between two checks of the stop flag.
    private static var lookMilliseconds: Int32 { 200 }

    /// Waits for a period to arrive, or for room for one. Returns 0, or a negative error number.
    func wait(for pcm: PCM, _ state: StreamState) -> Int32 {
        var waited: Int32 = 0
        while waited < Self.silentMilliseconds {
            let ready = pcm.wait(milliseconds: Self.lookMilliseconds)
            if ready != 0 { return min(ready, 0) }
            if state[.stop] != 0 { return -EAGAIN }
            waited += Self.lookMilliseconds
        }
        return -ETIMEDOUT
    }
}
