import Signal
import Testing

@testable import AcousticModem

@Suite struct FSKNoiseHistoryTests {
    /// Repeats are combined over nine seconds, and each frame is weighed by the noise of its own time. The
    /// band therefore keeps its noise estimates for as long.
    @Test func noiseIsKeptAsLongAsRepeatsAreRead() {
        let profile = FSKProfile.fsk
        var band = FSKBand(profiles: [profile], observer: nil)
        var frontEnd = FrontEnd(band: profile.tones.band)
        var random = SplitMix64(seed: 4)
        var reports: [DecodeReport] = []
        let stepsPerSecond = profile.tones.basebandRateHz / Double(profile.tones.stepSamples)
        // There are twenty seconds of noise, 20 dB louder from the twelfth on.
        for second in 0..<20 {
            let loudness: Float = second < 12 ? 1 : 10
            let samples = (0..<48_000).map { _ in loudness * Float(random.nextUnit() - 0.5) }
            samples.withUnsafeBufferPointer {
                frontEnd.process($0)
                band.process(FreshSound(samples: $0, frontEnds: [CopyOnWrite(frontEnd)]), into: &reports)
            }
        }
        let (now, then) = (band.field.end, band.field.end - Int(9 * stepsPerSecond))
        let (loud, quiet) = (band.field.noise(at: now), band.field.noise(at: then))
        let middle = loud.count / 2
        #expect(loud[middle] > 4 * quiet[middle], "\(loud[middle]) now, \(quiet[middle]) nine seconds ago")
    }
}
