import CAllocationCount
import ChannelSim
import Glibc
import Signal
import TestSupport
import Testing

@testable import AcousticModem

@Suite struct GGWaveReceiverTests {
    private func hear(
        _ sound: [Float], _ profiles: [WaveformProfile] = WaveformProfile.ggwave, chunk: Int = 100_000
    )
        -> [DecodeReport]
    {
        var receiver = Receiver(profiles: profiles)
        var reports: [DecodeReport] = []
        for start in stride(from: 0, to: sound.count, by: chunk) {
            reports += receiver.process(Array(sound[start..<min(start + chunk, sound.count)]))
        }
        return reports + receiver.finish()
    }

    private func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

    /// There are 9 protocols × 12 lengths × 3 offsets, or one, in digital silence, with all protocols
    /// listened for, seed 1. Each message is heard once, with its protocol, within a tenth of a chunk of its
    /// place. The three speeds share their markers and first bytes.
    @Test(arguments: WaveformProfile.ggwave) func cleanMessagesAreHeard(profile: WaveformProfile) throws {
        var random = SplitMix64(seed: 1)
        let transmitter = Transmitter(profile: profile)
        for count in [1, 1, 1, 2, 3, 4, 5, 8, 8, 8, 16, 33] {
            for _ in 0..<Trials.count(1, many: 3) {
                let token = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                let before = Int.random(in: 0...20_000, using: &random)
                let sound =
                    try silence(before) + transmitter.waveform(of: token).map { 0.1 * $0 } + silence(20_000)
                let reports = hear(sound)
                #expect(
                    reports.map(\.token) == [token] && reports.map(\.profile) == [profile],
                    "\(profile.name) \(token) at \(before): \(reports.map { ($0.profile.name, $0.token, $0.startSample) })"
                )
                for report in reports { #expect(abs(report.startSample - Double(before)) < 1000) }
            }
        }
    }

    @Test func theLongestMessageIsHeard() throws {
        let profile = try #require(WaveformProfile.named("ggwave-dt-normal"))
        let token = (0..<140).map { UInt8($0) }
        let sound = try silence(100_000) + Transmitter(profile: profile).waveform(of: token)
        #expect(hear(sound).map(\.token) == [token])
    }

    @Test(arguments: [1, 480, 1024, 4801]) func chunksDoNotMatter(chunk: Int) throws {
        let profile = try #require(WaveformProfile.named("ggwave-audible-fastest"))
        var noise = NoiseSource(seed: 4)
        var sound = noise.samples(150_000, sigma: 0.02)
        for (index, sample) in try Transmitter(profile: profile).waveform(of: [1, 2, 3]).enumerated() {
            sound[40_001 + index] += 0.1 * sample
        }
        let whole = hear(sound)
        #expect(whole.map(\.token) == [[1, 2, 3]])
        #expect(hear(sound, chunk: chunk) == whole)
    }

    /// A copy made midstream goes on by itself.
    @Test func aCopyHearsTheSame() throws {
        let profile = try #require(WaveformProfile.named("ggwave-ultrasound-fast"))
        let sound =
            try silence(9000) + Transmitter(profile: profile).waveform(of: [7, 8, 9]) + silence(30_000)
        var receiver = Receiver(profiles: WaveformProfile.ggwave)
        _ = receiver.process(Array(sound[..<40_000]))
        var copy = receiver
        let rest = Array(sound[40_000...])
        #expect(receiver.process(rest).map(\.token) == [[7, 8, 9]])
        #expect(copy.process(rest).map(\.token) == [[7, 8, 9]])
    }

    /// A message that breaks off after a third is followed by a whole one at once.
    @Test(arguments: WaveformProfile.ggwave) func anAbortedMessageDeafensNobody(profile: WaveformProfile)
        throws
    {
        let transmitter = Transmitter(profile: profile)
        let long = try transmitter.waveform(of: Array(0..<60))
        let sound =
            try silence(5000) + long.prefix(long.count / 3) + silence(4800)
            + transmitter.waveform(of: [9, 8, 7, 6]) + silence(20_000)
        let reports = hear(sound)
        #expect(
            reports.map(\.token) == [[9, 8, 7, 6]],
            "\(profile.name) \(long.count / 3 + 9800): \(reports.map { ($0.profile.name, $0.token, $0.startSample) })"
        )
    }

    /// Messages that share no bins may be on air at once.
    @Test func bandsAreHeardAtOnce() throws {
        let audible = try #require(WaveformProfile.named("ggwave-audible-fast"))
        let ultrasound = try #require(WaveformProfile.named("ggwave-ultrasound-normal"))
        var sound = silence(200_000)
        for (profile, token) in [(audible, [UInt8](1...8)), (ultrasound, [UInt8](11...20))] {
            for (index, sample) in try Transmitter(profile: profile).waveform(of: token).enumerated() {
                sound[10_000 + index] += 0.2 * sample
            }
        }
        #expect(Set(hear(sound).map(\.token)) == [[UInt8](1...8), [UInt8](11...20)])
    }

    /// Each protocol is 3 dB or more over the 90 % threshold of Fixtures/curves/ggwave.md. Of 20 messages of
    /// 8 bytes, seed 7, at least 18 are heard and none wrongly, with all protocols listened for.
    @Test(arguments: zip(WaveformProfile.ggwave, [14.5, 14, 15, 14.5, 14, 15, 23, 22, 20]))
    func isHeardInNoise(profile: WaveformProfile, ebN0Decibels: Double) throws {
        var random = SplitMix64(seed: 7)
        var noise = NoiseSource(seed: 7)
        var heard = 0
        for _ in 0..<20 {
            let token = (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
            let waveform = try Transmitter(profile: profile).waveform(of: token)
            let energy = waveform.reduce(0.0) { $0 + Double($1 * $1) } / 64
            // The one-sided density over a rate of 1 is twice the variance.
            let sigma = (energy / pow(10, ebN0Decibels / 10) / 2).squareRoot()
            var sound = noise.samples(waveform.count + 80_000, sigma: Float(sigma))
            let start = Int.random(in: 20_000...40_000, using: &random)
            for (index, sample) in waveform.enumerated() { sound[start + index] += sample }
            let reports = hear(sound.map { 0.05 * $0 })
            #expect(reports.allSatisfy { $0.token == token })
            heard += reports.isEmpty ? 0 : 1
            for report in reports { #expect(abs(Double(report.ebN0Decibels) - ebN0Decibels) < 3.5) }
        }
        #expect(heard >= 18, "of 20: \(heard)")
    }

    /// There is an hour of noise, with all protocols listened for, seed 8.
    @Test func noiseHoldsNoMessages() {
        var noise = NoiseSource(seed: 8)
        var receiver = Receiver(profiles: WaveformProfile.ggwave)
        for _ in 0..<360 { #expect(receiver.process(noise.samples(480_000, sigma: 0.1)).isEmpty) }
        #expect((50...300).contains(receiver.statistics.candidates), "\(receiver.statistics.candidates)")
    }

    /// The sounds that the corpus marks as having no message contain none, and neither do frames of another
    /// family.
    @Test func foreignSoundsHoldNoMessages() throws {
        for name in ReceiveFixture.names {
            let sound = try ReceiveFixture(named: name)
            #expect(hear(sound.samples).isEmpty, "\(name)")
        }
    }

    /// Samples that are no numbers, or beyond all measure, are silence.
    @Test func strangeSamplesAreSilence() throws {
        let profile = try #require(WaveformProfile.named("ggwave-audible-fastest"))
        let strange: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e30, 17]
        let noise = (0..<20_000).map { strange[$0 % strange.count] }
        let sound = try noise + Transmitter(profile: profile).waveform(of: [5, 5]) + noise
        #expect(hear(sound).map(\.token) == [[5, 5]])
    }

    private func work(_ statistics: ReceiverStatistics) -> Int64 {
        statistics.candidates + statistics.refinedCells + statistics.decodings
    }

    /// Listening to noise allocates only if there is a candidate, like the DSSS receiver.
    @Test func listeningAllocatesNothing() {
        var receiver = Receiver(profiles: WaveformProfile.ggwave)
        var noise = NoiseSource(seed: 9)
        var (quiet, allocations) = (0, 0)
        for second in 0..<60 {
            let samples = noise.samples(48_000, sigma: 0.1)
            samples.withUnsafeBufferPointer { samples in
                for start in stride(from: 0, to: samples.count, by: 480) {
                    let worked = work(receiver.statistics)
                    let before = nearby_allocation_count()
                    _ = receiver.process(UnsafeBufferPointer(rebasing: samples[start..<start + 480]))
                    let spent = Int(nearby_allocation_count() - before)
                    guard second >= 20, work(receiver.statistics) == worked else { continue }
                    quiet += 1
                    allocations += spent
                }
            }
        }
        #expect(quiet > 3900, "of 4000: \(quiet)")
        #expect(allocations == 0)
    }
}
