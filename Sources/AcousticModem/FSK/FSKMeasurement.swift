import Glibc
import Signal

/// The step from a decoded frame to its report: start, speed and strength.
struct FSKMeasurement: Sendable {
    let profile: FSKProfile
    let lane: Int
    let sound: FSKSound

    /// - Parameter repeats: the number of frames that were combined to hear it.
    func report(
        _ frame: FSKFrameDecoder.Frame, repeats: Int, _ reader: inout FSKFrameReader
    ) -> (report: DecodeReport, start: Double) {
        let setting = sharpened(frame, &reader)
        let (grid, loudness) = reader.tracker.grid(setting, symbolCount: frame.tones.count, sound)
        let energies = grid.energies(of: frame.tones)
        let mean = energies.reduce(0, +) / Float(energies.count) * loudness
        let symbolEnergy = max(mean - 1, 1e-3)
        let plan = profile.tones
        let ramps = 2 * 0.375 * FSKProfile.rampSeconds / plan.symbolSeconds
        let allEnergy = symbolEnergy * Float(Double(frame.tones.count) + ramps)
        let bandHz = plan.bandHz.upperBound - plan.bandHz.lowerBound
        let report = DecodeReport(
            token: frame.token, profile: WaveformProfile(profile), startSample: startSample(setting),
            snrDecibels: 10 * log10(symbolEnergy * Float(plan.spacingHz / bandHz)),
            ebN0Decibels: 10 * log10(allEnergy / Float(8 * frame.token.count)),
            speedMetersPerSecond: Float(setting.timeScale * SearchGrid.soundSpeed), repeats: repeats,
            lane: lane)
        return (report, setting.start)
    }

    /// Returns a frame's start and speed as its phases show them if they are coherent, otherwise as its
    /// energies do.
    private func sharpened(
        _ frame: FSKFrameDecoder.Frame, _ reader: inout FSKFrameReader
    ) -> FSKTracker.Setting {
        let layout = reader.decoder.layout(frame.tokenClass, lane: lane)
        let grid = reader.tracker.grid(frame.setting, symbolCount: layout.symbolCount, sound).grid
        let terms = PhaseFit.terms(grid, tones: frame.tones)
        let snr = reader.decoder.strength(grid, frame.tokenClass, lane: lane)
        let search = PhaseSearch(
            layout, profile.tones, snr: snr, steadyShare: FSKFrameDecoder.PathModel.direct.steadyShare)
        let fits = search.peaks(grid).map { $0.refined(terms, profile.tones) }
        guard let best = fits.max(by: { $0.coherence(terms) < $1.coherence(terms) }),
            best.coherence(terms) > Thresholds.fsk.coherentShare
        else { return frame.setting }
        return best.corrected(frame.setting, profile.tones)
    }

    /// Returns the start of the ramp in samples at 48 kHz.
    private func startSample(_ setting: FSKTracker.Setting) -> Double {
        profile.tones.band.soundSample(setting.start - Double(profile.tones.leadSamples))
            - FSKProfile.rampSeconds * Receiver.sampleRateHz / (1 + setting.timeScale)
    }
}
