/// A period of a device, as it stores samples and as floats. Plain pointers, as ``FrameRing``; whoever makes it frees it.
struct PeriodMemory: @unchecked Sendable {
    let bytes: UnsafeMutableRawPointer
    /// Interleaved. `[periodFrames][channelCount]`
    let samples: UnsafeMutablePointer<Float>

    /// - Parameter first: the device; one that takes its place later has no longer periods and no larger samples.
    init(first: PCM) {
        bytes = .allocate(byteCount: first.periodFrames * first.bytesPerFrame, alignment: 16)
        samples = .allocate(capacity: first.periodFrames * first.channelCount)
        samples.initialize(repeating: 0, count: first.periodFrames * first.channelCount)
    }

    func free() {
        bytes.deallocate()
        samples.deallocate()
    }
}
