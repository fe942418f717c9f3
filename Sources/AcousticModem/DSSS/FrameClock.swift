import Signal

/// Positions of the baseband → times of frames, with skipped sound counted.
struct FrameClock: Sendable {
    private let profile: DSSSProfile
    /// The skipped samples, at 48 kHz, that positions of the baseband do not count.
    var skippedSamples: Int64 = 0

    init(profile: DSSSProfile, skippedSamples: Int64 = 0) {
        (self.profile, self.skippedSamples) = (profile, skippedSamples)
    }

    /// Returns the sample, at 48 kHz, at which a candidate's ramp begins. The candidate's own start is the
    /// first chip after the ramp, in baseband samples.
    func startSample(_ candidate: Candidate) -> Double {
        startSample(start: candidate.start, timeScale: candidate.timeScale)
    }

    func startSample(start: Double, timeScale: Double) -> Double {
        Double(skippedSamples) + profile.band.soundSample(start) - rampSamples(timeScale: timeScale)
    }

    /// Returns the ``Candidate/start`` of a report.
    func start(of report: DecodeReport) -> Double {
        let ramp = rampSamples(timeScale: Double(report.speedMetersPerSecond) / SearchGrid.soundSpeed)
        return profile.band.basebandSample(report.startSample - Double(skippedSamples) + ramp)
    }

    private func rampSamples(timeScale: Double) -> Double {
        Double(profile.rampChipCount + 1) / profile.chipRateHz / (1 + timeScale) * Receiver.sampleRateHz
    }
}
