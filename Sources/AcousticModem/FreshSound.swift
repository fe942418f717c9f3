import Signal

/// The next sound, as ``FamilyReceiver``s take it.
struct FreshSound {
    /// The samples at ``Receiver/sampleRateHz``.
    let samples: UnsafeBufferPointer<Float>
    /// One front end for every band that a receiver listens in.
    private let frontEnds: [CopyOnWrite<FrontEnd>]

    init(samples: UnsafeBufferPointer<Float>, frontEnds: [CopyOnWrite<FrontEnd>] = []) {
        (self.samples, self.frontEnds) = (samples, frontEnds)
    }

    /// Returns the front end, with the sound in it, of a band that a receiver listens in.
    func frontEnd(of band: Band) -> CopyOnWrite<FrontEnd> {
        let frontEnd = frontEnds.first { $0.read { $0.band == band } }
        precondition(frontEnd != nil, "each band that is listened in has a front end")
        return frontEnd!
    }
}
