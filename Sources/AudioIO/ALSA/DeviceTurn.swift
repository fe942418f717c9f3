import Glibc

/// What an audio thread does for ever: moves a period between a device and the ring. Asks for no memory and takes no locks.
protocol DeviceTurn: Sendable {
    init(_ pcm: PCM, memory: PeriodMemory, ring: FrameRing, state: StreamState)

    /// 0, or a negative error number. Never inlined: `Tools/check-audio-path` reads its code.
    mutating func run(_ pcm: PCM) -> Int32
}

extension DeviceTurn {
    /// Without a frame moved for so long the device counts as lost: some servers die without a word, and PipeWire keeps a
    /// stream that it can connect to nothing.
    private static var silentMilliseconds: Int32 { 3000 }
    /// Between two looks whether to stop.
    private static var lookMilliseconds: Int32 { 200 }

    /// Waits for a period to come, or for room for one. 0, or a negative error number.
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
