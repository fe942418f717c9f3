import Glibc
import Signal

/// The arrival over delay of sound in the token band: the direct path, and the part that a room adds.
///
///     power │█                       direct: within 1 ms of the strongest arrival
///           │█▆                      tail: from there until noise hides it
///           │██▅▄▃                   RT60: the slope of the tail's energy that is still to come
///           │██████▃▂▁.․․ noise
///           └─────────────── lag
///
/// Powers are less the noise, which is measured before the strongest arrival. Reference: Schroeder, *New
/// Method of Measuring Reverberation Time*, JASA 37, 1965; ISO 3382-2:2008 §5.3 (T20, here T10 where noise
/// leaves no more).
struct EchoDecay {
    private static let flatHz = 18_500.0...20_000.0
    private static let edgeHz = 750.0
    private static let directSeconds = 0.001
    /// The time before the strongest arrival, but not just before it: a weaker path may be a shorter one.
    private static let noiseSeconds = -0.15 ..< -0.005
    private static let longestSeconds = 0.75
    private static let binSeconds = 0.005
    /// The level under which there is no room, or a window's edges hide it.
    private static let leastTailDecibels = -24.0

    let delaySpreadSeconds: Double
    let rt60Seconds: Double?
    let directToReverberantDecibels: Double?
    /// The power over the strongest arrival's, one value for each sample from lag −5 ms on, noise included.
    let curve: [Double]
    let noiseDecibels: Double

    static let curveStartSeconds = -0.005

    /// - Parameters:
    ///   - response: H of the loudest linear sweep.
    ///   - peakLag: the approximate lag of the strongest arrival.
    init(_ response: [Complex], peakLag: Int, _ deconvolver: SweepDeconvolver) {
        let rateHz = deconvolver.sampleRateHz
        func samples(_ seconds: Double) -> Int { Int(seconds * rateHz) }
        let band = Passband(
            flatHz: EchoDecay.flatHz, edgeHz: EchoDecay.edgeHz, count: deconvolver.fft.count,
            sampleRateHz: rateHz)
        let inBand = response.indices.map { response[$0] * band.gain(bin: $0) }
        let powers = deconvolver.impulse(inBand).map { Double($0.power) }
        let about = deconvolver.leadCount + peakLag
        let near = about - samples(0.002)...about + samples(0.002)
        let peak = near.max { powers[$0] < powers[$1] } ?? about
        let before =
            powers[
                peak + samples(EchoDecay.noiseSeconds.lowerBound)..<peak
                    + samples(EchoDecay.noiseSeconds.upperBound)]
        let noise = before.reduce(0, +) / Double(before.count)
        let direct = samples(EchoDecay.directSeconds)
        let tail = Array(powers[peak + direct..<peak + samples(EchoDecay.longestSeconds)])
        let decay = TailDecay(tail, noise: noise, binSampleCount: samples(EchoDecay.binSeconds))

        let directPowers = powers[peak - direct..<peak + direct].map { $0 - noise }
        let directEnergy = directPowers.reduce(0, +)
        let hasTail = decay.energy > directEnergy * pow(10, EchoDecay.leastTailDecibels / 10)
        directToReverberantDecibels =
            hasTail && directEnergy > 0 ? 10 * log10(directEnergy / decay.energy) : nil
        rt60Seconds = hasTail ? decay.rt60Samples.map { $0 / rateHz } : nil
        delaySpreadSeconds =
            EchoDecay.spread(
                directPowers + (hasTail ? tail.prefix(decay.sampleCount).map { $0 - noise } : [])) / rateHz
        let scale = 1 / max(powers[peak], 1e-30)
        curve = powers[peak + samples(EchoDecay.curveStartSeconds)..<peak + samples(EchoDecay.longestSeconds)]
            .map { $0 * scale }
        noiseDecibels = 10 * log10(max(1e-20, noise * scale))
    }

    /// Returns the root mean square of the delay about its mean, in samples. Reference: Proakis, *Digital
    /// Communications*, §13.1.
    private static func spread(_ powers: [Double]) -> Double {
        var sums = (0.0, 0.0, 0.0)
        for (lag, power) in powers.enumerated() {
            let lag = Double(lag)
            sums = (sums.0 + power, sums.1 + lag * power, sums.2 + lag * lag * power)
        }
        guard sums.0 > 0 else { return 0 }
        let mean = sums.1 / sums.0
        return max(0, sums.2 / sums.0 - mean * mean).squareRoot()
    }
}
