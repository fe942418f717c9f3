import ChannelSim
import Signal
import Synchronization
import Testing

@testable import AcousticModem

/// Returns a recording with tokens in noise: 8 bytes each, at the given seconds, amplitude 1 over `sigma`.
private func recording(
    _ profile: WaveformProfile, tokens: [(token: [UInt8], second: Double)], seconds: Double, sigma: Float,
    seed: UInt64
) throws -> [Float] {
    var noise = NoiseSource(seed: seed)
    var samples = noise.samples(Int(seconds * 48_000), sigma: sigma)
    for (token, second) in tokens {
        let waveform = try Transmitter(profile: profile).waveform(of: token)
        for i in waveform.indices { samples[Int(second * 48_000) + i] += waveform[i] }
    }
    return samples.map { $0 * 0.1 }
}

@Suite struct ReceiverTests {
    private let first: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    private let second: [UInt8] = [0xFF, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA, 0x99, 0x88]

    private func twoTokens() throws -> [Float] {
        try recording(
            .dsss, tokens: [(first, 0.31), (second, 2.4)], seconds: 5, sigma: 4, seed: 5)
    }

    @Test func chunksOfAnySizeGiveTheSameReports() throws {
        let samples = try twoTokens()
        var whole = Receiver(profiles: [.dsss])
        let expected = whole.process(samples) + whole.finish()
        #expect(expected.map(\.token) == [first, second])
        for chunk in [1, 479, 4800, 100_003] {
            var receiver = Receiver(profiles: [.dsss])
            var reports: [DecodeReport] = []
            for start in stride(from: 0, to: samples.count, by: chunk) {
                reports += receiver.process(Array(samples[start..<min(start + chunk, samples.count)]))
            }
            reports += receiver.finish()
            #expect(reports == expected, "chunks of \(chunk)")
        }
    }

    @Test func aCopyMadeMidstreamGoesOnByItself() throws {
        let samples = try twoTokens()
        var original = Receiver(profiles: [.dsss])
        let half = samples.count / 2
        let early = original.process(Array(samples[..<half]))
        var copy = original
        let rest = original.process(Array(samples[half...])) + original.finish()
        #expect(copy.process(Array(samples[half...])) + copy.finish() == rest)
        #expect((early + rest).map(\.token) == [first, second])
    }

    @Test(arguments: DSSSProfile.all + [.dsssWide], [0.0, 0.05, 2.0])
    func aFrameIsHeardWhereverItStarts(profile: DSSSProfile, lead: Double) throws {
        let samples = try recording(
            WaveformProfile(profile), tokens: [(first, lead)], seconds: lead + profile.durationSeconds + 0.01,
            sigma: 1,
            seed: 3)
        var receiver = Receiver(profiles: [WaveformProfile(profile)])
        let reports = receiver.process(samples) + receiver.finish()
        #expect(reports.map(\.token) == [first])
        if let report = reports.first {
            #expect(abs(report.startSeconds - lead) < 0.0005)
            #expect(abs(report.speedMetersPerSecond) < 0.05)
            #expect(report.repeats == 1)
        }
    }

    @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 32]) func tokensOfEveryClassArriveWhole(count: Int) throws {
        let token = (0..<count).map { UInt8(truncatingIfNeeded: 37 * $0 + count) }
        let samples = try recording(
            .dsss, tokens: [(token, 0.5)], seconds: 2.5, sigma: 2, seed: UInt64(count))
        var receiver = Receiver(profiles: [.dsss])
        #expect((receiver.process(samples) + receiver.finish()).map(\.token) == [token])
    }

    @Test func threeRepeatsAreThreeReports() throws {
        let period = DSSSProfile.dsss.repeatPeriodSeconds
        let samples = try recording(
            .dsss, tokens: (0..<3).map { (first, 0.4 + Double($0) * period) }, seconds: 5, sigma: 3, seed: 8)
        var receiver = Receiver(profiles: [.dsss])
        let reports = receiver.process(samples) + receiver.finish()
        #expect(reports.map(\.token) == [first, first, first])
        #expect(receiver.statistics.reports == 3)
    }

    @Test func overlappingTransmittersOnTwoLanesAreBothHeard() throws {
        var samples = try recording(.dsss, tokens: [(first, 0.5)], seconds: 3, sigma: 1, seed: 9)
        let other = try Transmitter(profile: .dsss, lane: 2).waveform(of: second)
        for i in other.indices { samples[40_000 + i] += 0.1 * other[i] }
        var receiver = Receiver(profiles: [.dsss])
        let reports = receiver.process(samples) + receiver.finish()
        #expect(Set(reports.map(\.token)) == [first, second])
        #expect(Set(reports.map(\.lane)) == [0, 2])
    }

    /// Silence, full-scale clipping, a constant, and samples that are not numbers give no token and no trap.
    @Test(arguments: [Float(0), 1, -1, .nan, .infinity, 1e30]) func hopelessInputGivesNothing(value: Float) {
        var receiver = Receiver()
        let samples = [Float](repeating: value, count: 3 * 48_000)
        #expect((receiver.process(samples) + receiver.finish()).isEmpty)
    }

    @Test func aFrameSurvivesBadSamplesAround() throws {
        var samples = try recording(.dsss, tokens: [(first, 1.0)], seconds: 3.5, sigma: 1, seed: 4)
        for i in stride(from: 0, to: 40_000, by: 1000) { samples[i] = .nan }
        samples[60_000] = .infinity
        var receiver = Receiver(profiles: [.dsss])
        #expect((receiver.process(samples) + receiver.finish()).map(\.token) == [first])
    }
}

@Suite struct CandidateTraceTests {
    /// A frame with whole pilots and damaged data is lost in decoding, and reported at its place.
    @Test func tellsWhereAFrameWasLost() throws {
        let profile = DSSSProfile.dsss
        var chips = try DSSSFrameEncoder(profile: profile).chips(of: [1, 2, 3, 4, 5, 6, 7, 8])
        var random = SplitMix64(seed: 12)
        let layout = SegmentLayout(profile: profile, lane: 0, segment: 0, tokenClass: .short)
        for chip in layout.dataChips {
            chips[profile.rampChipCount + Int(chip)] = random.next() >> 63 == 1 ? 1 : -1
        }
        let waveform = DSSSModulator(profile: profile, sampleRateHz: 48_000).modulate(chips)
        var noise = NoiseSource(seed: 13)
        var samples = noise.samples(3 * 48_000, sigma: 0.5)
        for i in waveform.indices { samples[24_000 + i] += waveform[i] }
        let diary = Diary()
        var receiver = Receiver(profiles: [.dsss], observer: diary)
        #expect((receiver.process(samples) + receiver.finish()).isEmpty)
        let lost = diary.all.filter { $0.outcome == .undecoded }.max { $0.pilotNats < $1.pilotNats }
        #expect(abs(try #require(lost).startSeconds - 0.5) < 0.001)
        #expect(try #require(lost).evidenceNats != nil)
    }

    /// A frame's trace contains the evidence that its family's gate requires, and at least as much.
    @Test(arguments: [
        (WaveformProfile.dsss, Thresholds.dsss.frameNats), (.dsssFar, Thresholds.dsss.frameNats),
        (.fsk, Thresholds.fsk.frameNats), (.fskLong, Thresholds.fsk.frameNats),
    ])
    func tellsWhatAFrameNeeds(profile: WaveformProfile, frameNats: Float) throws {
        let samples = try recording(
            profile, tokens: [([1, 2, 3, 4, 5, 6, 7, 8], 0.5)], seconds: 6, sigma: 1, seed: 15)
        let diary = Diary()
        var receiver = Receiver(profiles: [profile], observer: diary)
        #expect((receiver.process(samples) + receiver.finish()).count == 1)
        let heard = try #require(diary.all.first { $0.outcome == .heard })
        #expect(heard.neededNats >= frameNats)
        #expect(try #require(heard.evidenceNats) >= heard.neededNats)
    }

    /// A report comes with its Doppler and delay profile: a path, and an echo 8 chips later at half the
    /// power. Every candidate is settled once, and counted.
    @Test func tellsHowAFrameWasHeard() throws {
        let profile = DSSSProfile.dsss
        let waveform = try Transmitter(profile: .dsss).waveform(of: [1, 2, 3, 4, 5, 6, 7, 8])
        let delay = Int((8 / profile.chipRateHz * 48_000).rounded())
        var noise = NoiseSource(seed: 14)
        var samples = noise.samples(4 * 48_000, sigma: 0.5)
        for i in waveform.indices {
            samples[24_000 + i] += waveform[i]
            samples[24_000 + delay + i] += waveform[i] * 0.7
        }
        let diary = Diary()
        var receiver = Receiver(profiles: [.dsss], observer: diary)
        let reports = receiver.process(samples) + receiver.finish()
        #expect(reports.count == 1)
        let heard = try #require(diary.all.first { $0.outcome == .heard })
        #expect(abs(heard.startSeconds - 0.5) < 0.001)
        #expect(abs(heard.carrierOffsetHz) < 1)
        let taps = heard.tapPowers
        let reference = CandidateTrace.referenceTap
        #expect(taps.indices.max { taps[$0] < taps[$1] } == reference)
        let ratio = taps[reference + 8] / taps[reference]
        #expect((0.25...0.9).contains(ratio), "half, give or take the noise: \(ratio)")
        let statistics = receiver.statistics
        let counted = [
            statistics.faint, statistics.crowded, statistics.known, statistics.unlikely, statistics.undecoded,
            statistics.unaffordable,
        ]
        #expect(counted.reduce(0, +) == diary.all.count { $0.outcome != .heard })
    }
}

private final class Diary: ReceiverObserver {
    private let traces = Mutex<[CandidateTrace]>([])
    var all: [CandidateTrace] { traces.withLock { $0 } }
    func settled(_ candidate: CandidateTrace) { traces.withLock { $0.append(candidate) } }
}
