import Signal

/// What is heard next, as ``FamilyReceiver``s take it.
struct FreshSound {
    /// At ``Receiver/sampleRateHz``.
    let samples: UnsafeBufferPointer<Float>
    /// ``FrontEnd/baseband`` and ``FrontEnd/limited`` for all that listen near 19.2 kHz; empty where nothing does.
    let baseband: [Complex]
    let limited: [Complex]

    init(samples: UnsafeBufferPointer<Float>, baseband: [Complex] = [], limited: [Complex] = []) {
        (self.samples, self.baseband, self.limited) = (samples, baseband, limited)
    }
}
