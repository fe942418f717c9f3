import Signal
import Testing

@testable import AcousticModem

@Suite struct PulseLimiterTests {
    private func limited(_ input: [Complex], chunk: Int = 1000) -> [Complex] {
        var limiter = PulseLimiter(band: .nearUltrasonic)
        var output: [Complex] = []
        let silence = [Complex](repeating: .zero, count: limiter.delaySamples)
        let all = input + silence
        for first in stride(from: 0, to: all.count, by: chunk) {
            limiter.process(all[first..<min(first + chunk, all.count)], into: &output)
        }
        return Array(output.prefix(input.count))
    }

    private func power(_ samples: ArraySlice<Complex>) -> Float {
        samples.reduce(0) { $0 + $1.power } / Float(samples.count)
    }

    /// In ten minutes of noise nothing is limited; by chance it is one block a day.
    @Test func noisePassesAsItIs() {
        let noise = ComplexNoise.samples(1_440_000, seed: 3)
        #expect(limited(noise) == noise)
    }

    @Test(arguments: [12, 60, 190], [Float(16), 100]) func bangsAreUnderTheNoise(
        samples: Int, amplitude: Float
    ) {
        var sound = ComplexNoise.samples(12_000, seed: 4)
        for i in 6000..<6000 + samples { sound[i] *= amplitude }
        let output = limited(sound)
        #expect(power(output[6000..<6000 + samples]) < 0.2)
        // A block beside it may go with it.
        #expect(output[..<5990] == sound[..<5990])
        #expect(output[(6010 + samples)...] == sound[(6010 + samples)...])
    }

    /// The frame is 40 dB over the noise, and as long as the shortest one.
    @Test func framesPassAsTheyAre() {
        var sound = ComplexNoise.samples(12_000, seed: 5)
        for i in 6000..<7070 { sound[i] = Complex(100, 0) }
        #expect(limited(sound) == sound)
    }

    /// A voice gate lets noise through for 60 % of the time.
    @Test func silenceIsNoMeasure() {
        var sound = ComplexNoise.samples(24_000, seed: 6)
        for i in sound.indices where i % 500 >= 300 { sound[i] = .zero }
        #expect(limited(sound) == sound)
    }

    @Test func chunksDoNotMatter() {
        var sound = ComplexNoise.samples(5000, seed: 7)
        for i in 2000..<2050 { sound[i] *= 50 }
        #expect(limited(sound, chunk: 5000) == limited(sound, chunk: 7))
    }
}
