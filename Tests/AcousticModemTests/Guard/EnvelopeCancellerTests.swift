import Glibc
import Signal
import Testing

@testable import AcousticModem

@Suite struct EnvelopeCancellerTests {
    /// Returns minimum-shift keying of random chips, 1200 a second.
    private func foreignSender(_ count: Int) -> [Complex] {
        var random = SplitMix64(seed: 8)
        var (angle, step) = (0.0, 0.0)
        return (0..<count).map { i in
            if i % 2 == 0 { step = random.nextUnit() < 0.5 ? .pi / 4 : -.pi / 4 }
            angle += step
            return Complex(Float(cos(angle)), Float(sin(angle)))
        }
    }

    private func cancelled(_ input: [Complex], chunk: Int = 1000) -> [Complex] {
        var canceller = EnvelopeCanceller(band: .nearUltrasonic)
        var output: [Complex] = []
        for first in stride(from: 0, to: input.count, by: chunk) {
            canceller.process(input[first..<min(first + chunk, input.count)], into: &output)
        }
        return output
    }

    @Test func noisePassesAsItIs() {
        let noise = ComplexNoise.samples(240_000, seed: 1)
        let output = cancelled(noise)
        #expect(output[...] == noise[..<output.count])
    }

    /// From ten seconds on, a tenth of a sender 10 dB over the noise is left, and over half of the noise.
    @Test func foreignSenderGoes() {
        let sender = foreignSender(72_000)
        let noise = ComplexNoise.samples(sender.count, seed: 2).map { $0 * Float(0.1).squareRoot() }
        let output = cancelled(zip(sender, noise).map { $0 + $1 })
        #expect(output[1000] == sender[1000] + noise[1000])
        var (left, own) = (Complex.zero, Complex.zero)
        var power: Float = 0
        for i in 36_000..<output.count {
            left += output[i] * sender[i].conjugate
            own += output[i] * noise[i].conjugate
            power += output[i].power
        }
        let count = Float(output.count - 36_000)
        #expect(abs(left.power.squareRoot() / count - 0.1) < 0.03)
        #expect(own.re / count > 0.05)
        #expect(power / count < 0.07)
    }

    /// Loud frames without a gap between them have ramps, 20 ms in all.
    @Test func framesPassAsTheyAre() {
        var frames = foreignSender(96_000)
        for i in frames.indices {
            let place = Float(min(i % 3000, 3000 - i % 3000))
            if place < 24 { frames[i] *= 0.5 - 0.5 * cos(.pi * place / 24) }
        }
        let output = cancelled(frames)
        #expect(output[...] == frames[..<output.count])
    }

    /// A sound is louder than the foreign sender, for a second.
    @Test func louderSoundPassesAsItIs() {
        var sound = foreignSender(72_000)
        for i in 40_000..<42_400 { sound[i] *= 3 }
        let output = cancelled(sound)
        #expect(output[40_120..<42_280] == sound[40_120..<42_280])
        #expect(abs(output[60_000].power.squareRoot() - 0.1) < 0.03)
    }

    @Test func loudFrameEndsIt() {
        var canceller = EnvelopeCanceller(band: .nearUltrasonic)
        let sender = foreignSender(60_000)
        var output: [Complex] = []
        canceller.process(sender[..<36_000], into: &output)
        #expect(abs(output[35_000].power.squareRoot() - 0.1) < 0.03)
        canceller.heardLoudFrame()
        canceller.process(sender[36_000...], into: &output)
        #expect(output[40_000] == sender[40_000])
    }

    @Test func chunksDoNotMatter() {
        let sender = foreignSender(40_000)
        #expect(cancelled(sender, chunk: 40_000) == cancelled(sender, chunk: 11))
    }
}
