import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests that sound that only resembles tones costs little, and never all at once.
@Suite struct FSKForeignSoundTests {
    /// Returns noise whose level jumps by up to 30 dB every 0.05 to 1.5 s.
    private func unsteadyNoise(seconds: Int, seed: UInt64) -> [Float] {
        var noise = NoiseSource(seed: seed)
        var random = SplitMix64(seed: seed)
        var samples = noise.samples(seconds * 48_000, sigma: 0.1)
        var place = 0
        while place < samples.count {
            let end = min(place + Int(48_000 * (0.05 + 1.45 * random.nextUnit())), samples.count)
            let level = pow(10, -30 * Float(random.nextUnit()) / 20)
            for i in place..<end { samples[i] *= level }
            place = end
        }
        return samples
    }

    /// Returns noise, and every ten seconds a frame of another profile, each with another token.
    private func foreignFrames(
        _ profile: WaveformProfile, seconds: Int, noise sigma: Float, seed: UInt64
    ) throws -> [Float] {
        var noise = NoiseSource(seed: seed)
        var random = SplitMix64(seed: seed)
        var samples = noise.samples(seconds * 48_000, sigma: sigma)
        for second in stride(from: 3, to: seconds - 3, by: 10) {
            let token = (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let waveform = try Transmitter(profile: profile).waveform(of: token)
            for (i, sample) in waveform.enumerated() { samples[second * 48_000 + i] += 0.3 * sample }
        }
        return samples
    }

    /// A minute of either held some 600 decodings when windows were not brought down to the floor.
    @Test(arguments: [WaveformProfile.fsk, .fskLong]) func foreignSoundHasFewCandidates(
        _ profile: WaveformProfile
    ) throws {
        let frames = try foreignFrames(.dsss, seconds: 60, noise: 0.05, seed: 22)
        for samples in [unsteadyNoise(seconds: 60, seed: 21), frames] {
            var receiver = Receiver(profiles: [profile])
            #expect((receiver.process(samples) + receiver.finish()).isEmpty)
            #expect(receiver.statistics.decodings <= 150, "\(receiver.statistics.decodings)")
        }
    }

    /// Just before a strong frame, a candidate has all of its votes at its end; a gap after the frame, one
    /// that repeats it has none of its own. Neither is decoded: these twelve frames take 162 decodings.
    @Test func strongFramesOfTheOtherProfileTakeFewDecodings() throws {
        let samples = try foreignFrames(.fsk, seconds: 120, noise: 0.015, seed: 24)
        var receiver = Receiver(profiles: [.fskLong])
        #expect((receiver.process(samples) + receiver.finish()).isEmpty)
        #expect(receiver.statistics.decodings <= 220, "\(receiver.statistics.decodings)")
    }

    /// The input has tones of the band, each as long as a symbol, that belong to no token. They give
    /// candidates without end. With pushes of 10 ms, no push has more decodings than two candidates may take.
    @Test func noPushTakesAllTheWork() {
        var noise = NoiseSource(seed: 23)
        var random = SplitMix64(seed: 23)
        var samples = noise.samples(12 * 48_000, sigma: 0.05)
        let plan = TonePlan.nearUltrasonic
        var (tone, phase) = (0, 0.0)
        for i in 96_000..<samples.count {
            if i % (plan.symbolSamples * plan.band.decimation) == 0 { tone = Int(random.next() % 64) }
            phase += 2 * .pi * plan.frequencyHz(ofTone: tone) / 48_000
            samples[i] += 0.02 * Float(cos(phase))
        }
        var receiver = Receiver(profiles: [.fsk])
        var (most, before): (Int64, Int64) = (0, 0)
        for first in stride(from: 0, to: samples.count, by: 480) {
            _ = receiver.process(Array(samples[first..<first + 480]))
            most = max(most, receiver.statistics.decodings - before)
            before = receiver.statistics.decodings
        }
        #expect(before > 100 && most <= 60, "\(before) in all, \(most) at once")
    }
}
