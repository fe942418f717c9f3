import Signal

/// Positions of the baseband → times of frames, with skipped sound counted.
struct FrameClock: Sendable {
    private let profile: DSSSProfile
    /// The skipped samples, at 48 kHz, that positions of the baseband do not count.
    var skippedSamples: Int64 = 0

    init(profile: DSSSProfile) { self.profile = profile }

    /// Returns the sample, at 48 kHz, at which a candidate's ramp begins. The candidate's own start is the
    /// first chip after the ramp, in baseband samples.
    func startSample(_ candidate: Candidate) -> Double {
        let rampSeconds =
            Double(profile.rampChipCount + 1) / profile.chipRateHz / (1 + candidate.timeScale)
        return Double(skippedSamples) + profile.band.soundSample(candidate.start)
            - rampSeconds * Receiver.sampleRateHz
    }
}
