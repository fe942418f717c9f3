import Glibc
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

    /// An encoder keeps pieces of a frame that is 34 dB over the noise: by the median of all 0.4 s about
    /// them, the first and the last were bangs.
    @Test func piecesOfAFrameAreNoBangs() {
        var sound = ComplexNoise.samples(24_000, seed: 9)
        for i in 6000..<18_000 where i % 153 < 102 { sound[i] *= 50 }
        #expect(limited(sound) == sound)
    }

    /// Bangs of any length and loudness, pauses and steps in noise: each block's weight is that of the
    /// medians before and after it.
    @Test func eachBlockIsWeighedByItsOwnMedians() {
        var random = SplitMix64(seed: 8)
        var sound = ComplexNoise.samples(60_000, seed: 8)
        var first = 0
        while first < sound.count {
            let kind = random.nextUnit()
            let length = Int(kind < 0.8 ? 100 * random.nextUnit() : 4000 * random.nextUnit()) + 1
            let gain = kind < 0.1 ? 0 : Float(exp2(12 * random.nextUnit() - 4))
            if random.nextUnit() < 0.7 {
                for i in first..<min(first + length, sound.count) { sound[i] *= gain }
            }
            first += length + Int(1000 * random.nextUnit())
        }
        let output = limited(sound)
        let band = Band.nearUltrasonic
        let (size, half) = (band.samples(seconds: 0.002), band.samples(seconds: 0.2))
        let powers = (0..<sound.count / size).map { block in
            (0..<size).reduce(Float(0)) { $0 + sound[block * size + $1].power }
        }
        var bangs = 0
        for block in half / size..<powers.count - half / size - 1 {
            var (before, after) = (RunningMedian(), RunningMedian())
            for power in powers[block - half / size..<block] { before.insert(power) }
            for power in powers[block + 1...block + half / size] { after.insert(power) }
            let (level, power) = (max(before.median(), after.median()), powers[block])
            let bound = Thresholds.guards.bangRatio * level
            let isBang =
                power > bound || power > level && max(powers[block - 1], powers[block + 1]) > bound
            if isBang { bangs += 1 }
            for i in block * size..<(block + 1) * size {
                let expected = isBang ? sound[i] * (level / power) : sound[i]
                // The limiter adds the powers in another order.
                #expect((output[i] - expected).power <= 1e-10 * expected.power, "sample \(i)")
            }
        }
        #expect(bangs > 100)
    }

    @Test func chunksDoNotMatter() {
        var sound = ComplexNoise.samples(5000, seed: 7)
        for i in 2000..<2050 { sound[i] *= 50 }
        #expect(limited(sound, chunk: 5000) == limited(sound, chunk: 7))
    }
}
