import Glibc
import Signal

/// Chips → baseband: the sound of a frame as a receiver of its band gets it, on one path, at amplitude 1.
/// Opposite: ``Despreader``, which takes chips out of baseband.
///
/// The frame is made at twice the baseband's rate and low-passed, as its spectrum is wider than the band.
struct FrameTemplate: Sendable {
    private let profile: DSSSProfile
    private let modulator: DSSSModulator
    /// The low-pass at twice the baseband's rate. It is as long as the front end's.
    private let taps: [Float]
    private static let tapCount = 24

    init(profile: DSSSProfile) {
        self.profile = profile
        modulator = DSSSModulator(profile: profile, sampleRateHz: 2 * profile.band.rateHz)
        taps = Downconverter.lowPass(
            tapCount: FrameTemplate.tapCount, cutoff: profile.band.halfWidthHz / (2 * profile.band.rateHz)
        ).map { Float($0) }
    }

    /// Returns the samples from the ramp's beginning to the ramp's end, and the position of the first.
    ///
    /// - Parameters:
    ///   - chips: all chips on air, `[profile.chipCount]`.
    ///   - start: the position of the first chip after the ramp, as ``Candidate/start``.
    ///   - timeScale: as ``Candidate/timeScale``.
    func samples(
        _ chips: [Int8], start: Double, timeScale: Double
    ) -> (first: SamplePosition, samples: [Complex]) {
        let chipsPerSample = (1 + timeScale) / profile.samplesPerChip
        let leadChips = Double(profile.rampChipCount + 1)
        let first = SamplePosition((start - leadChips / chipsPerSample).rounded(.down))
        let count = Int((Double(profile.chipCount + 2) / chipsPerSample).rounded(.up)) + 1
        let radiansPerSample = 2 * Double.pi * timeScale * profile.carrierHz / profile.band.rateHz
        var envelope = modulator.envelope(of: chips)
        let middle = Double(FrameTemplate.tapCount - 1) / 2
        let wide = (0..<2 * count + FrameTemplate.tapCount).map { n -> Complex in
            let samples = Double(first) + (Double(n) - middle) / 2 - start
            let value = envelope.value(atChip: samples * chipsPerSample + leadChips)
            let angle = .pi / 2 * value.quarters + radiansPerSample * samples
            return Complex(Float(value.amplitude * cos(angle)), Float(value.amplitude * sin(angle)))
        }
        let samples = (0..<count).map { n -> Complex in
            var sum = Complex.zero
            for (k, tap) in taps.enumerated() { sum += wide[2 * n + k] * tap }
            return sum
        }
        return (first, samples)
    }
}
