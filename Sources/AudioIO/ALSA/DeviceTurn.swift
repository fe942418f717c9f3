/// What an audio thread does for ever: moves a period between a device and the ring. Asks for no memory and takes no locks.
protocol DeviceTurn: Sendable {
    init(memory: PeriodMemory, ring: FrameRing, state: StreamState)

    /// 0, or a negative error number. Never inlined: `Tools/check-audio-path` reads its code.
    func run(_ pcm: PCM) -> Int32
}
