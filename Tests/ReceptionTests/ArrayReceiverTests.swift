import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests of several microphones that are heard jointly.
@Suite struct ArrayReceiverTests {
    private static let profile = WaveformProfile.dsss

    /// Returns what each channel hears: a frame a second after the beginning, in noise of its own.
    ///
    /// - Parameter ebN0Decibels: one for each channel; `nil` for a channel that hears only the noise of 0 dB.
    private static func recordings(
        of token: [UInt8], ebN0Decibels: [Double?], seed: UInt64
    ) throws -> [[Float]] {
        let waveform = try Transmitter(profile: profile).waveform(of: token)
        let perBit = waveform.reduce(0.0) { $0 + Double($1 * $1) } / Double(8 * token.count)
        var random = SplitMix64(seed: seed)
        let lead = 48_000 + Int(random.nextUnit() * 4800)
        return ebN0Decibels.map { decibels in
            var source = NoiseSource(seed: random.next())
            let sigma = (perBit / pow(10, (decibels ?? 0) / 10) / 2).squareRoot()
            var samples = source.samples(lead + waveform.count + 48_000, sigma: Float(sigma))
            if decibels != nil { for i in waveform.indices { samples[lead + i] += waveform[i] } }
            return samples.map { 0.05 * $0 }
        }
    }

    private static func token(_ seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private static func heard(
        _ recordings: [[Float]], chunk: Int = 4800
    ) -> (reports: [DecodeReport], statistics: ReceiverStatistics) {
        var receiver = ArrayReceiver(
            profiles: [profile], sampleRateHz: 48_000, channelCount: recordings.count, observer: nil)
        var reports: [DecodeReport] = []
        for first in stride(from: 0, to: recordings[0].count, by: chunk) {
            for (channel, samples) in recordings.enumerated() {
                samples[first..<min(first + chunk, samples.count)].withUnsafeBufferPointer {
                    reports += receiver.process($0, channel: channel)
                }
            }
            reports += receiver.advance()
        }
        reports += receiver.finish()
        return (reports, receiver.statistics)
    }

    private static func heardAlone(
        _ samples: [Float]
    ) -> (reports: [DecodeReport], statistics: ReceiverStatistics) {
        var receiver = Receiver(profiles: [profile])
        let reports = receiver.process(samples) + receiver.finish()
        return (reports, receiver.statistics)
    }

    /// Returns what three channels hear of four repeats, the third of them silent from `seconds` on.
    private static func train(
        of token: [UInt8], ebN0Decibels: Double, silentFrom seconds: Double, seed: UInt64
    ) throws -> [[Float]] {
        let waveform = try Transmitter(profile: profile).waveform(of: token)
        let perBit = waveform.reduce(0.0) { $0 + Double($1 * $1) } / Double(8 * token.count)
        let sigma = Float((perBit / pow(10, ebN0Decibels / 10) / 2).squareRoot())
        let period = Int(DSSSProfile.dsss.repeatPeriodSeconds * 48_000)
        var random = SplitMix64(seed: seed)
        return (0..<3).map { channel in
            var source = NoiseSource(seed: random.next())
            var samples = source.samples(8 * 48_000, sigma: sigma)
            for frame in 0..<4 {
                for i in waveform.indices { samples[48_000 + frame * period + i] += waveform[i] }
            }
            if channel == 2 { for i in Int(seconds * 48_000)..<samples.count { samples[i] = 0 } }
            return samples.map { 0.05 * $0 }
        }
    }

    private static func hears(_ reports: [DecodeReport], _ token: [UInt8]) -> Bool {
        #expect(reports.allSatisfy { $0.token == token }, "a wrong token")
        return !reports.isEmpty
    }

    /// A channel that falls silent takes nothing from the frames of the others, and ends what was begun with
    /// it. Of six trains at −3 dB three, five and five are heard.
    @Test(arguments: [2.5, 3.5, 4.5]) func aChannelMayLeaveATrain(silentFrom: Double) throws {
        var heard = 0
        for seed in UInt64(0)..<6 {
            let token = Self.token(seed)
            let sound = try Self.train(
                of: token, ebN0Decibels: -3, silentFrom: silentFrom, seed: 300 + seed)
            if Self.hears(Self.heard(sound).reports, token) { heard += 1 }
        }
        #expect(heard >= 2)
    }

    /// At 1.1 dB each of two microphones alone hears one frame in ten, and both together lose one in twenty.
    /// Of twelve frames together nine are heard at least, which 19 in 20 miss once in 400 times. Alone at
    /// most five are heard, which one in ten exceeds once in 2000 times.
    @Test func twoHearWhatNeitherHears() throws {
        var (together, first, second) = (0, 0, 0)
        for seed in UInt64(0)..<12 {
            let token = Self.token(seed)
            let sound = try Self.recordings(of: token, ebN0Decibels: [1.1, 1.1], seed: 100 + seed)
            if Self.hears(Self.heard(sound).reports, token) { together += 1 }
            if Self.hears(Self.heardAlone(sound[0]).reports, token) { first += 1 }
            if Self.hears(Self.heardAlone(sound[1]).reports, token) { second += 1 }
        }
        #expect(together >= 9)
        #expect(max(first, second) <= 5)
    }

    /// A third channel that is dead, or 20 dB noisier, takes nothing from the other two: of six frames that
    /// they hear at 2 dB, all but one at least are heard with it.
    @Test(arguments: [true, false]) func aUselessChannelCostsNothing(isDead: Bool) throws {
        var (two, three) = (0, 0)
        for seed in UInt64(20)..<26 {
            let token = Self.token(seed)
            var sound = try Self.recordings(of: token, ebN0Decibels: [2, 2, -18], seed: seed)
            if isDead { sound[2] = Array(repeating: 0, count: sound[2].count) }
            if Self.hears(Self.heard(Array(sound[..<2])).reports, token) { two += 1 }
            if Self.hears(Self.heard(sound).reports, token) { three += 1 }
        }
        #expect(two >= 4)
        #expect(three >= two - 1)
    }

    /// A channel that hears a frame by itself is not held back by one that hears only noise, as loud as its
    /// own: a covered microphone, or one in another room.
    @Test func aCoveredMicrophoneCostsNothing() throws {
        for seed in UInt64(30)..<34 {
            let token = Self.token(seed)
            let sound = try Self.recordings(of: token, ebN0Decibels: [4, nil], seed: seed)
            let alone = Self.heardAlone(sound[0]).reports
            let reports = Self.heard(sound).reports
            #expect(reports.map { $0.token } == alone.map { $0.token })
            #expect(reports.allSatisfy { $0.channelIndex == 0 })
        }
    }

    /// The same sound on both channels is no more evidence than on one: nothing is searched jointly, so that
    /// every counter is twice that of one channel.
    @Test func dualMonoIsOneMicrophone() throws {
        let token = Self.token(40)
        let sound = try Self.recordings(of: token, ebN0Decibels: [1.5], seed: 41)[0]
        let alone = Self.heardAlone(sound)
        let both = Self.heard([sound, sound.map { -0.5 * $0 }])
        #expect(alone.statistics.candidates > 0)
        #expect(both.statistics.candidates == 2 * alone.statistics.candidates)
        #expect(both.statistics.decodings == 2 * alone.statistics.decodings)
        #expect(both.reports.count == 2 * alone.reports.count)
    }

    /// Channels in different rooms each report their own token, also at the same time and on the same lane.
    @Test func eachChannelHasItsOwnToken() throws {
        let tokens = [Self.token(50), Self.token(51)]
        let sound = try (0..<2).map {
            try Self.recordings(of: tokens[$0], ebN0Decibels: [12], seed: 52 + UInt64($0))[0]
        }
        let count = min(sound[0].count, sound[1].count)
        let reports = Self.heard(sound.map { Array($0[..<count]) }).reports
        for channel in 0..<2 {
            let own = reports.filter { $0.channelIndex == channel }
            #expect(own.map { $0.token } == [tokens[channel]])
        }
    }

    /// A frame that both channels hear by themselves is reported once by each, and not jointly, too.
    @Test func whatEachHearsIsNotReportedAgain() throws {
        let token = Self.token(60)
        let sound = try Self.recordings(of: token, ebN0Decibels: [15, 15], seed: 61)
        let reports = Self.heard(sound).reports
        #expect(reports.map { $0.token } == [token, token])
        #expect(Set(reports.map { $0.channelIndex }) == [0, 1])
    }

    @Test(arguments: [337, 48_001]) func chunksDoNotMatter(chunk: Int) throws {
        let token = Self.token(70)
        let sound = try Self.recordings(of: token, ebN0Decibels: [2, 2], seed: 71)
        let whole = Self.heard(sound, chunk: sound[0].count)
        #expect(Self.hears(whole.reports, token))
        let parts = Self.heard(sound, chunk: chunk)
        #expect(parts.reports == whole.reports)
        #expect(parts.statistics.counters.map { $0.count } == whole.statistics.counters.map { $0.count })
    }

    /// Lost sound moves the clock of all channels on.
    @Test(arguments: [4800, 48_000 * 60]) func lostSoundIsTime(frames: Int) throws {
        let token = Self.token(80)
        let sound = try Self.recordings(of: token, ebN0Decibels: [3, 3], seed: 81)
        var receiver = ArrayReceiver(
            profiles: [Self.profile], sampleRateHz: 48_000, channelCount: 2, observer: nil)
        var reports = receiver.skip(frames: Int64(frames))
        for channel in 0..<2 {
            sound[channel].withUnsafeBufferPointer { reports += receiver.process($0, channel: channel) }
        }
        reports += receiver.advance() + receiver.finish()
        let expected = try #require(Self.heard(sound).reports.first)
        let report = try #require(reports.first)
        #expect(report.token == token)
        #expect(abs(report.startSample - expected.startSample - Double(frames)) < 40)
    }
}
