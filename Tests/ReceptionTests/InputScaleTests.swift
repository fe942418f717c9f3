import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests that tokens are heard at any scale of the samples, whatever single samples are.
@Suite struct InputScaleTests {
    private let token: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]

    /// Returns three seconds of noise with a frame in them, 20 dB over it.
    private func sound(_ profile: WaveformProfile, rateHz: Double = 48_000) throws -> [Float] {
        var noise = NoiseSource(seed: 8)
        let waveform = try Transmitter(profile: profile).waveform(of: token)
        var samples = noise.samples(waveform.count + 3 * 48_000, sigma: 0.02)
        for (index, sample) in waveform.enumerated() { samples[48_000 + index] += 0.2 * sample }
        guard rateHz != 48_000 else { return samples }
        var resampler = Resampler(fromHz: 48_000, toHz: rateHz)
        return resampler.process(samples)
    }

    private func hear(_ profile: WaveformProfile, _ samples: [Float], rateHz: Int = 48_000) -> [[UInt8]] {
        var receiver = ChannelReceiver(profiles: [profile], sampleRateHz: rateHz)
        let reports = samples.withUnsafeBufferPointer { receiver.process($0) } + receiver.finish()
        return reports.map(\.token)
    }

    static let families: [WaveformProfile] = [
        .dsss, .dsssQuick, .fsk, WaveformProfile.named("ggwave-ultrasound-fast")!, .fsk2,
    ]

    /// Powers of two change no bit of a float's fraction unless it vanishes.
    @Test(arguments: families, [-120, -100, -60, -40, -29, 7, 15, 31])
    func everyScaleIsHeard(profile: WaveformProfile, exponent: Int) throws {
        let gain = Float(sign: .plus, exponent: exponent, significand: 1)
        #expect(hear(profile, try sound(profile).map { gain * $0 }) == [token])
    }

    @Test(arguments: [-100, 0, 15]) func everyRateHasScales(exponent: Int) throws {
        let gain = Float(sign: .plus, exponent: exponent, significand: 1)
        let samples = try sound(.dsssQuick, rateHz: 44_100).map { gain * $0 }
        #expect(hear(.dsssQuick, samples, rateHz: 44_100) == [token])
    }

    /// The samples are at the greatest distance from the frame's ends, where a receiver that believed them
    /// would lose it.
    @Test(arguments: families, [-100, 0, 15])
    func singleSamplesBeyondMeasureAreSilence(profile: WaveformProfile, exponent: Int) throws {
        let gain = Float(sign: .plus, exponent: exponent, significand: 1)
        var samples = try sound(profile).map { gain * $0 }
        let middle = samples.count / 2
        for (index, value) in [1e30, .infinity, .nan, -1e30, 1e6 * gain, -400 * gain].enumerated() {
            samples[middle + 997 * (index - 3)] = value
        }
        #expect(hear(profile, samples) == [token])
    }

    /// A recording fades out through the smallest floats into nothing. Its end costs no more than noise does,
    /// except where the gain is chosen several times.
    @Test func faintSoundIsNoise() throws {
        func decodings(after tail: [Float]) throws -> Int64 {
            var receiver = Receiver(profiles: [.dsss, .dsssQuick, .fsk])
            let reports = try receiver.process(sound(.dsss)) + receiver.process(tail) + receiver.finish()
            #expect(reports.map(\.token) == [token])
            return receiver.statistics.decodings
        }
        var noise = NoiseSource(seed: 9)
        let tail = noise.samples(20 * 48_000, sigma: 1)
        let usual = try decodings(after: tail.map { 1e-3 * $0 })
        for sigma in [0, 1e-18, 1e-19, 1e-20, 1e-21, 1e-30, 1e-37] as [Float] {
            let faint = try decodings(after: tail.map { sigma * $0 })
            #expect(faint <= 3 * usual, "\(sigma): \(faint), usual noise \(usual)")
        }
    }

    /// There is sound that is passed on unchanged, sound that is scaled, and leaps between them.
    @Test(arguments: [1, 7, 960, 50_000]) func chunksOfAnySizeGiveTheSameSamples(chunk: Int) {
        var noise = NoiseSource(seed: 10)
        let levels: [Float] = [
            0, 1e-33, 0, 0, 0, 1e-5, 0, 1e-33, 1e-31, 0.1, 300, 3e4, 1e9, 1e-3, .infinity, 1e12, 0.1,
        ]
        let input = levels.flatMap { level in noise.samples(17_000, sigma: 1).map { $0 * level } }
        func output(_ size: Int) -> [Float] {
            var scale = InputScale()
            return stride(from: 0, to: input.count, by: size).flatMap { start in
                input[start..<min(start + size, input.count)].withUnsafeBufferPointer {
                    Array(scale.process($0))
                }
            }
        }
        let expected = output(input.count)
        #expect(expected.allSatisfy { $0.magnitude <= Kernels.saneMagnitudes.upperBound })
        #expect(output(chunk) == expected)
    }

    /// Sound within full scale is passed on bit for bit.
    @Test func usualSoundIsPassedOn() {
        var noise = NoiseSource(seed: 11)
        let input = noise.samples(100_000, sigma: 0.2)
        var scale = InputScale()
        _ = input[..<100].withUnsafeBufferPointer { scale.process($0) }
        input.withUnsafeBufferPointer { #expect(scale.process($0).baseAddress == $0.baseAddress) }
    }

    /// After silence a filter's skirt comes first, and rises from nearly nothing. It chooses no gain.
    @Test func soundThatBeginsWithASkirtIsNotScaled() {
        var scale = InputScale()
        let input = [Float](repeating: 0, count: 500) + (0..<900).map { 1e-14 * pow(1.03, Float($0)) }
        let output = input.withUnsafeBufferPointer { Array(scale.process($0)) }
        #expect(scale.gain == 1)
        #expect(zip(input, output).allSatisfy { $1 == $0 || $0 < 0x1p-30 && $1 == 0 })
    }

    /// Samples that jump count as silence for a third of a millisecond, and then as sound.
    @Test func leapsThatLastAreSound() {
        var scale = InputScale()
        let input = [Float](repeating: 0.5, count: 100) + [Float](repeating: 1000, count: 100)
        let output = input.withUnsafeBufferPointer { Array(scale.process($0)) }
        #expect(output[100..<116].allSatisfy { $0 == 0 })
        #expect(output[116...].allSatisfy { $0 == 1000 })
    }
}
