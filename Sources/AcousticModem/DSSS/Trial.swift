/// Looks that are tried as one frame, or as repeats of one, and the evidence of their pilots.
struct Trial: Sendable {
    /// The first look's candidate; before the tracker has seen it, the search's.
    var candidate: Candidate
    /// Empty before the tracker has seen the candidate.
    var looks: [Look] = []
    /// The nats that the pilots of all looks say.
    var pilotNats: Float
    /// The frames of one token that the looks are at.
    var frameCount = 1

    func evidence(_ stage: Evidence.Stage, nats: Float = 0) -> Evidence {
        Evidence(
            stage: stage, pilotNats: pilotNats, nats: nats, frameCount: frameCount, lookCount: looks.count)
    }
}
