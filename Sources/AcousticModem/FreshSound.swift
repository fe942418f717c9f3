import Signal

/// What is heard next, as ``FamilyReceiver``s take it.
struct FreshSound {
    /// At ``Receiver/sampleRateHz``.
    let samples: UnsafeBufferPointer<Float>
    /// There is one for every band that something listens in.
    private let frontEnds: [FrontEnd]

    init(samples: UnsafeBufferPointer<Float>, frontEnds: [FrontEnd] = []) {
        (self.samples, self.frontEnds) = (samples, frontEnds)
    }

    /// The front end of a band, one of those that something listens in, with the sound in it.
    func frontEnd(of band: Band) -> FrontEnd {
        let frontEnd = frontEnds.first { $0.band == band }
        precondition(frontEnd != nil, "each band that is listened in has a front end")
        return frontEnd!
    }
}
