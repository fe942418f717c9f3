import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

@Suite struct SteadyToneFinderTests {
    private let plan = TonePlan.nearUltrasonic

    private func noise(_ count: Int) -> [Complex] {
        var source = NoiseSource(seed: 5)
        let samples = source.samples(2 * count, sigma: 1)
        return (0..<count).map { Complex(samples[2 * $0], samples[2 * $0 + 1]) }
    }

    private func tone(_ hz: Double, amplitude: Float, _ count: Int) -> [Complex] {
        (0..<count).map {
            let angle = 2 * Double.pi * hz * Double($0) / plan.basebandRateHz
            return Complex(Float(cos(angle)), Float(sin(angle))) * amplitude
        }
    }

    /// Returns a frame of tones, each a whole symbol long.
    private func frame(_ tones: [Int], amplitude: Float) -> [Complex] {
        tones.flatMap {
            tone(plan.frequencyHz(ofTone: $0) - plan.carrierHz, amplitude: amplitude, plan.symbolSamples)
        }
    }

    private func cleaned(_ input: [Complex], chunk: Int) -> [Complex] {
        var steady = BlockSubtractor(SteadyToneFinder(plan: plan))
        var output: [Complex] = []
        let all = input + [Complex](repeating: .zero, count: 2 * steady.blockCount)
        for first in stride(from: 0, to: all.count, by: chunk) {
            steady.process(all[first..<min(first + chunk, all.count)], into: &output)
        }
        return Array(output.prefix(input.count))
    }

    private func energy(_ samples: [Complex]) -> Float { samples.reduce(0) { $0 + $1.power } }

    private func difference(_ a: [Complex], _ b: [Complex]) -> Float { energy(zip(a, b).map { $0 - $1 }) }

    @Test func noisePassesAsItIs() {
        let input = noise(24_000)
        #expect(cleaned(input, chunk: 24_000) == input)
    }

    /// The tones are 10 and 30 dB over all the noise. With a tone, only a few of a block's thousand noise
    /// values are removed.
    @Test(arguments: [-811.3, -3.1, 0, 250, 702.6], [Float(4.5), 45])
    func tonesGo(hz: Double, amplitude: Float) {
        let input = noise(12_000)
        let output = cleaned(
            zip(input, tone(hz, amplitude: amplitude, 12_000)).map { $0 + $1 }, chunk: 100)
        #expect(output.count == input.count)
        // The last block has too little of the tone for a decision.
        let told = 0..<input.count - 512
        #expect(difference(Array(input[told]), Array(output[told])) < 0.02 * energy(input))
    }

    /// Tones that come and go are a frame's, however loud: four of ten symbols may be the same.
    @Test(arguments: [0.1, 10, 1000] as [Float]) func framesPass(amplitude: Float) {
        let tones = [3, 40, 3, 17, 3, 60, 8, 3, 51, 22, 40, 9, 40, 33, 40, 40, 5, 61, 12, 30]
        let samples = frame(tones, amplitude: amplitude)
        let input = zip(noise(samples.count), samples).map { $0 + $1 }
        #expect(cleaned(input, chunk: 512) == input)
    }

    @Test func toneBesideAFrameGoesAlone() {
        let tones = (0..<40).map { 27 * $0 % 64 }
        let samples = frame(tones, amplitude: 1)
        let input = zip(noise(samples.count), samples).map { $0 + $1 }
        let squeak = tone(130.7, amplitude: 10, input.count)
        let output = cleaned(zip(input, squeak).map { $0 + $1 }, chunk: 512)
        #expect(difference(input, output) < 0.02 * energy(input))
    }

    /// Short recordings of any length are harmless, wherever they are silent.
    @Test func shortSoundsAreHarmless() {
        for count in stride(from: 1, to: 1200, by: 37) {
            let gap = [Complex](repeating: .zero, count: count)
            let sound = tone(100, amplitude: 9, count)
            #expect(cleaned(gap + sound + gap, chunk: 512).count == 3 * count)
        }
    }

    @Test func chunksDoNotMatter() {
        let input = zip(noise(5000), tone(100, amplitude: 9, 5000)).map { $0 + $1 }
        #expect(cleaned(input, chunk: 5000) == cleaned(input, chunk: 7))
    }
}
