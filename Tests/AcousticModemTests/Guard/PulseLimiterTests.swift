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

    /// An encoder keeps a third of a frame that is 34 dB over the noise, in pieces of 4 to 64 ms.
    @Test(arguments: [10, 51, 153]) func piecesOfAFrameAreNoBangs(samples: Int) {
        var sound = ComplexNoise.samples(24_000, seed: 9)
        for i in 6000..<18_000 where i % (3 * samples) < samples { sound[i] = Complex(50, 0) }
        let output = limited(sound)
        // An edge of a piece, in a block with half as much, may count as a bang's skirt.
        let kept = (6000..<18_000).count { output[$0] == sound[$0] }
        #expect(kept >= 11_400)
    }

    /// Bangs of any length and loudness, pauses and steps in noise: each block's weight is that of its own
    /// median, and what is as loud for long has none.
    @Test func eachBlockIsWeighedByItsOwnMedian() {
        var random = SplitMix64(seed: 8)
        var sound = ComplexNoise.samples(60_000, seed: 8)
        var first = 0
        while first < sound.count {
            let kind = random.nextUnit()
            let longest = kind < 0.5 ? 100.0 : kind < 0.8 ? 800 : 4000
            let length = Int(longest * random.nextUnit()) + 1
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
        let thresholds = Thresholds.guards
        let mostAlike = band.samples(seconds: thresholds.bangSeconds) / size
        let counted = (2 * (half / size) + 16) & -16
        var (bangs, pieces) = (0, 0)
        for block in half / size..<powers.count - half / size - 1 {
            var median = RunningMedian()
            for power in powers[block - half / size...block + half / size] { median.insert(power) }
            let (level, power) = (median.median(), powers[block])
            let greatest = powers[block - 1...block + 1].max()!
            let alike = greatest / thresholds.alikeRatio..<greatest * thresholds.alikeRatio
            // Vectors of 16 are counted, with a few earlier powers.
            let span = powers[max(block + half / size + 1 - counted, 0)...block + half / size]
            let isLoud = power > level && greatest > thresholds.bangRatio * level
            let isBang = isLoud && span.count { alike.contains($0) } <= mostAlike
            if isBang { bangs += 1 } else if isLoud { pieces += 1 }
            for i in block * size..<(block + 1) * size {
                let expected = isBang ? sound[i] * (level / power) : sound[i]
                // The limiter adds the powers in another order.
                #expect((output[i] - expected).power <= 1e-10 * expected.power, "sample \(i)")
            }
        }
        #expect(bangs > 100 && pieces > 10, "\(bangs) bangs, \(pieces) pieces")
    }

    @Test func chunksDoNotMatter() {
        var sound = ComplexNoise.samples(5000, seed: 7)
        for i in 2000..<2050 { sound[i] *= 50 }
        #expect(limited(sound, chunk: 5000) == limited(sound, chunk: 7))
    }
}
