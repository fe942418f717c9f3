import Signal

/// Positions of the baseband → times of frames, sound that was skipped included.
struct FrameClock: Sendable {
    private let profile: DSSSProfile
    /// At 48 kHz: what no position of the baseband counts.
    var skippedSamples: Int64 = 0

    init(profile: DSSSProfile) { self.profile = profile }

    /// Where a candidate's ramp begins, at 48 kHz; its own start is the first chip after the ramp, in baseband samples.
    func startSample(_ candidate: Candidate) -> Double {
        let rampSeconds =
            Double(profile.rampChipCount + 1) / profile.chipRateHz / (1 + candidate.timeScale)
        return Double(skippedSamples) + profile.band.soundSample(candidate.start)
            - rampSeconds * Receiver.sampleRateHz
    }
}
