import Signal

/// The power of one sweep that arrived in each of ``SoundingBand/all``, direct and reverberant, and the share
/// of noise in it.
struct SweepGains {
    /// The mean of |H|² over a step less the noise's share; where nothing arrives, it lies on either side of
    /// 0.
    let powers: [Double]
    /// The noise's share that was subtracted.
    let noisePowers: [Double]

    /// The length of the part of h that was looked at: the number of independent values of H in a hertz of
    /// band.
    let gateSeconds: Double

    /// - Parameter gate: the samples of `impulse` in which something arrives.
    init(_ impulse: [Complex], gate: Range<Int>, noise: NoiseSpectrum, _ deconvolver: SweepDeconvolver) {
        let response = deconvolver.response(of: impulse, within: gate)
        var powers: [Double] = []
        var noisePowers: [Double] = []
        for band in SoundingBand.all {
            // The last step ends in the sweep's ramp and the filter's edge.
            let bins = deconvolver.bins(band.lowerBound..<min(band.upperBound, 21_880))
            let scale = 1 / Double(bins.count)
            // A gate of G samples holds G of the noise's: E|H|² = G σ² / |S|².
            let variance = Double(gate.count) * noise.variance(band)
            let share = bins.reduce(0.0) { $0 + variance / deconvolver.sweepPowers[$1] } * scale
            powers.append(bins.reduce(0.0) { $0 + Double(response[$1].power) } * scale - share)
            noisePowers.append(share)
        }
        (self.powers, self.noisePowers) = (powers, noisePowers)
        gateSeconds = Double(gate.count) / deconvolver.sampleRateHz
    }
}
