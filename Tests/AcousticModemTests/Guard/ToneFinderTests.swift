import Glibc
import Signal
import Testing

@testable import AcousticModem

@Suite struct ToneFinderTests {
    /// Returns noise whose mean power is 2.
    private func noise(_ count: Int) -> [Complex] {
        ComplexNoise.samples(count, seed: 9).map { $0 * Float(2).squareRoot() }
    }

    private func tone(_ hz: Double, amplitude: Float, _ count: Int) -> [Complex] {
        (0..<count).map {
            let angle = 2 * Double.pi * hz * Double($0) / Band.nearUltrasonic.rateHz
            return Complex(Float(cos(angle)), Float(sin(angle))) * amplitude
        }
    }

    private func excised(_ input: [Complex], chunk: Int) -> [Complex] {
        var subtractor = BlockSubtractor(ToneFinder(band: .nearUltrasonic))
        var output: [Complex] = []
        for first in stride(from: 0, to: input.count, by: chunk) {
            subtractor.process(input[first..<min(first + chunk, input.count)], into: &output)
        }
        return output
    }

    /// Of 24 000 noise bins, fewer than one in a thousand is taken for a tone.
    @Test func noisePasses() {
        let input = noise(12_000)
        let output = excised(input, chunk: 12_000)
        #expect(output.count >= input.count - ToneFinder(band: .nearUltrasonic).blockCount)
        let lost = zip(input, output).reduce(0) { $0 + ($1.0 - $1.1).power }
        #expect(lost < 0.02 * input.reduce(0) { $0 + $1.power })
    }

    /// The tone is 26 dB over all the noise. What is left of it is at least 15 dB under the noise.
    @Test(arguments: [-811.3, -3.1, 0, 250, 702.6]) func tonesGo(hz: Double) {
        let input = noise(12_000)
        let squeak = tone(hz, amplitude: 28, input.count)
        let output = excised(zip(input, squeak).map { $0 + $1 }, chunk: 100)
        var error: Float = 0
        var energy: Float = 0
        for i in 1000..<output.count {
            error += (output[i] - input[i]).power
            energy += input[i].power
        }
        #expect(error < 0.06 * energy)  // the noise of the tone's own bins goes with it: 2 to 5 %
    }

    @Test func chunksDoNotMatter() {
        let input = zip(noise(5000), tone(100, amplitude: 9, 5000)).map { $0 + $1 }
        #expect(excised(input, chunk: 5000) == excised(input, chunk: 7))
    }
}
