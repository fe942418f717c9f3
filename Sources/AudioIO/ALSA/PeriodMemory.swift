/// The memory for a period of a device, as stored samples and as floats. It uses plain pointers, like
/// ``FrameRing``; its creator frees it.
struct PeriodMemory: @unchecked Sendable {
    let bytes: UnsafeMutableRawPointer
    /// Interleaved. `[periodFrames][channelCount]`
    let samples: UnsafeMutablePointer<Float>

    /// - Parameter first: the device; a later device in its place has no longer periods and no larger
    ///   samples.
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
