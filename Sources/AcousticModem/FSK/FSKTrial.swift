/// A candidate that is being read.
struct FSKTrial: Sendable {
    let candidate: FSKCandidate
    let sound: FSKSound
    /// Exact starts and Dopplers, the likeliest first; empty for repeats, which are read together.
    var settings: [FSKTracker.Setting] = []
    /// The nats of the likeliest setting; for repeats, those of one of them.
    var score: Float

    var lane: Int { candidate.lane }

    /// The evidence of the likeliest setting.
    var evidence: Evidence { Evidence(stage: .found, pilotNats: score, contrast: settings[0].contrast) }
}
