import Signal

/// What is heard next, as ``FamilyReceiver``s take it.
struct FreshSound {
    /// At ``Receiver/sampleRateHz``.
    let samples: UnsafeBufferPointer<Float>
    /// Of all that listen near 19.2 kHz what ``FrontEnd`` makes of it; empty where nothing does.
    let baseband: [Complex]

    init(samples: UnsafeBufferPointer<Float>, baseband: [Complex] = []) {
        (self.samples, self.baseband) = (samples, baseband)
    }
}
