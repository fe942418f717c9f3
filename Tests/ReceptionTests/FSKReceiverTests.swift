import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

@Suite struct FSKReceiverTests {
    private let token: [UInt8] = [0x81, 0xcb, 0x0c, 0xf1, 0xaf, 0x77, 0x6f, 0x1d]

    private func recording(
        _ profile: FSKProfile, _ token: [UInt8], lead: Double, tail: Double = 0.2, sigma: Float, seed: UInt64,
        lane: Int = 0
    ) throws -> [Float] {
        let waveform = try Transmitter(profile: WaveformProfile(profile), lane: lane).waveform(of: token)
        let first = Int(lead * 48_000)
        var noise = NoiseSource(seed: seed)
        var samples = noise.samples(first + waveform.count + Int(tail * 48_000), sigma: sigma)
        for i in waveform.indices { samples[first + i] += waveform[i] }
        return samples
    }

    private func hear(_ profile: FSKProfile, _ samples: [Float]) -> [DecodeReport] {
        var receiver = Receiver(profiles: [WaveformProfile(profile)])
        return receiver.process(samples) + receiver.finish()
    }

    /// The token is heard without noise, and in noise of the signal's power in 0–24 kHz, from the first
    /// sample on and later.
    @Test(arguments: FSKProfile.all, [0, 0.7]) func isHeardOnce(profile: FSKProfile, lead: Double) throws {
        for sigma in [Float(0), 0.7] {
            let reports = hear(profile, try recording(profile, token, lead: lead, sigma: sigma, seed: 3))
            #expect(reports.map(\.token) == [token])
            let report = try #require(reports.first)
            #expect(abs(report.startSeconds - lead) < 0.01)
            #expect(report.isChecked && report.lane == 0 && report.repeats == 1)
        }
    }

    /// Phases give the start to a hundredth of a millisecond, where energies give milliseconds.
    @Test func phasesTellTheStart() throws {
        let reports = hear(.fsk, try recording(.fsk, token, lead: 1, tail: 1, sigma: 2, seed: 4))
        let report = try #require(reports.first)
        #expect(abs(report.startSeconds - 1) < 0.0001)
        #expect(abs(report.speedMetersPerSecond) < 0.005)
    }

    @Test(arguments: [1, 7, 8, 9, 16, 17, 32]) func tokensOfEveryClassArriveWhole(count: Int) throws {
        let token = (0..<count).map { UInt8(truncatingIfNeeded: 37 * $0 + count) }
        for profile in [FSKProfile.fsk, .fskLong] {
            let samples = try recording(profile, token, lead: 2, tail: 1, sigma: 2, seed: UInt64(count))
            #expect(hear(profile, samples).map(\.token) == [token])
        }
    }

    /// There are four frames each at Eb/N0 2 dB, where one in five is heard alone. Of 10 such fours, some are
    /// heard by combining two frames or more. `nearby-modem channel` showed 9 of 30; none of 10 has a chance
    /// of 3 %.
    @Test func repeatsAreCombined() throws {
        let waveform = try Transmitter(profile: .fsk).waveform(of: token).map { 0.05 * $0 }
        let energy = waveform.reduce(0.0) { $0 + Double($1 * $1) }
        let sigma = Float((energy / 64 / pow(10, 0.2) / 2).squareRoot())
        var combined = 0
        for seed in UInt64(0)..<10 {
            var noise = NoiseSource(seed: seed)
            var samples = noise.samples(480_000, sigma: sigma)
            for copy in 0..<4 {
                for i in waveform.indices { samples[100_000 + copy * 85_000 + i] += waveform[i] }
            }
            let reports = hear(.fsk, samples)
            #expect(reports.allSatisfy { $0.token == token })
            combined += reports.contains { $0.repeats > 1 } ? 1 : 0
        }
        #expect(combined >= 1)
    }

    @Test func chunksMakeNoDifference() throws {
        let samples = try recording(.fskLong, token, lead: 0.4, sigma: 2, seed: 9, lane: 2)
        let whole = hear(.fskLong, samples)
        #expect(whole.map(\.lane) == [2])
        for size in [1_000, 4_801] {
            var receiver = Receiver(profiles: [.fskLong])
            var reports: [DecodeReport] = []
            for first in stride(from: 0, to: samples.count, by: size) {
                reports += receiver.process(Array(samples[first..<min(first + size, samples.count)]))
            }
            #expect(reports + receiver.finish() == whole)
        }
    }

    /// A minute of noise gives no token, and a frame at its end is heard.
    @Test(arguments: FSKProfile.all) func noiseHoldsNoToken(profile: FSKProfile) throws {
        var noise = NoiseSource(seed: 77)
        var receiver = Receiver(profiles: [WaveformProfile(profile)])
        for _ in 0..<60 { #expect(receiver.process(noise.samples(48_000, sigma: 0.5)).isEmpty) }
        let frame = try recording(profile, token, lead: 0, sigma: 0.5, seed: 78)
        #expect((receiver.process(frame) + receiver.finish()).map(\.token) == [token])
    }

    /// Both of two senders are heard at once; the second sends half a second later and on another lane.
    @Test func twoSendersAreHeard() throws {
        let other: [UInt8] = [9, 8, 7, 6, 5, 4, 3, 2]
        var samples = try recording(.fskLong, token, lead: 0.5, tail: 2, sigma: 0.5, seed: 6)
        let second = try Transmitter(profile: .fskLong, lane: 1).waveform(of: other)
        for i in second.indices { samples[48_000 + i] += second[i] }
        #expect(Set(hear(.fskLong, samples).map(\.token)) == [token, other])
    }

    /// At Eb/N0 4.5 dB there are 30 frames at random starts. 27 are expected at the 4 dB that nine in ten
    /// need. 22 or fewer have a chance under 1 %.
    @Test func sensitivity() throws {
        var random = SplitMix64(seed: 12)
        let waveformEnergy = try Transmitter(profile: .fsk).waveform(of: token).reduce(0.0) {
            $0 + Double($1 * $1)
        }
        let sigma = (waveformEnergy / 64 / pow(10, 0.45) / 2).squareRoot()
        var heard = 0
        for trial in 0..<30 {
            let lead = 0.5 + random.nextUnit()
            // The sound is quieter, because samples beyond ±16 count as silence.
            let samples = try recording(
                .fsk, token, lead: lead, tail: 0.5, sigma: Float(sigma), seed: 1000 + UInt64(trial)
            ).map { 0.01 * $0 }
            let reports = hear(.fsk, samples)
            #expect(reports.allSatisfy { $0.token == token })
            heard += reports.isEmpty ? 0 : 1
        }
        #expect(heard > 22, "\(heard)")
    }
}
