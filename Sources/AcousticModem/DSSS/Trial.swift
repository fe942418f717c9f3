/// Looks that are tried as one frame, or as repeats of one, with the evidence of their pilots.
struct Trial: Sendable {
    /// The first look's candidate, or the search's candidate before the tracker has seen it.
    var candidate: Candidate
    /// Empty before the tracker has seen the candidate.
    var looks: [Look] = []
    /// The nats of the pilots of all looks.
    var pilotNats: Float
    /// The number of frames of one token that the looks belong to. The looks of a frame follow one another.
    var frameCount = 1
    /// The number of channels on which each segment is heard.
    var channelCount = 1

    /// The number of segments, each counted once however many channels hear it.
    var segmentCount: Int { looks.count / channelCount }

    func evidence(_ stage: Evidence.Stage, nats: Float = 0) -> Evidence {
        Evidence(
            stage: stage, pilotNats: pilotNats, nats: nats, frameCount: frameCount, lookCount: segmentCount)
    }
}
