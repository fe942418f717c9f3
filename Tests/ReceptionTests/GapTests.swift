import ChannelSim
import Signal
import Synchronization
import Testing

@testable import AcousticModem

private let fast = GGWaveProtocol(tones: .audible, speed: .fast)
private let fastest = GGWaveProtocol(tones: .audible, speed: .fastest)

/// Tests of lost sound of which the receiver is notified.
@Suite struct GapTests {
    private static let token: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]

    private func sound(_ profiles: [WaveformProfile], sigma: Float, seed: UInt64) throws -> [Float] {
        var sound = [Float](repeating: 0, count: 30_000)
        for profile in profiles {
            sound += try Transmitter(profile: profile).waveform(of: GapTests.token)
            sound += [Float](repeating: 0, count: 30_000)
        }
        var noise = NoiseSource(seed: seed)
        noise.add(to: &sound, sigma: sigma)
        return sound.map { $0 * 0.1 }
    }

    /// Chunks and gaps of any size give the same as silence at the gaps' places: 6 draws a set of profiles,
    /// seed 5.
    @Test(arguments: [
        [WaveformProfile.dsssQuick, .dsss, .dsss], [.fsk, .fskLong],
        [.ggwave(fastest), .ggwave(fastest, fixedByteCount: 8), .fsk2],
    ])
    func gapsAreSilence(profiles: [WaveformProfile]) throws {
        var random = SplitMix64(seed: 5)
        var heard = 0
        for draw in 0..<6 {
            var silent = try sound(profiles, sigma: 0.5, seed: UInt64(draw))
            var pieces: [(range: Range<Int>, isGap: Bool)] = []
            var place = 0
            while place < silent.count {
                let isGap = random.nextUnit() < 0.3
                let longest = isGap ? 3000.0 : 60_000.0
                let end = min(silent.count, place + Int(longest * random.nextUnit() * random.nextUnit()))
                pieces.append((place..<end, isGap))
                if isGap { silent.replaceSubrange(place..<end, with: repeatElement(0, count: end - place)) }
                place = end
            }
            var whole = Receiver(profiles: profiles)
            let expected = whole.process(silent) + whole.finish()
            var receiver = Receiver(profiles: profiles)
            var reports: [DecodeReport] = []
            for piece in pieces {
                reports +=
                    piece.isGap
                    ? receiver.skip(frames: Int64(piece.range.count))
                    : receiver.process(Array(silent[piece.range]))
            }
            reports += receiver.finish()
            // Families report in turn within a call. In a single call for everything, the order is different.
            #expect(Set(reports) == Set(expected) && reports.count == expected.count, "draw \(draw)")
            #expect(receiver.statistics == whole.statistics)
            heard += reports.count
        }
        #expect(heard >= 6)
    }

    /// At 20 dB, 20 to 200 ms of a frame are lost. It is heard with the right time, at all of 10 places for
    /// each length.
    @Test(arguments: [
        (WaveformProfile.dsss, 200), (.dsssFar, 200), (.fskLong, 200), (.dsssQuick, 20), (.fsk, 100),
        (.ggwave(fast), 50),
    ])
    func aGapCostsWhatWasLost(profile: WaveformProfile, longestMilliseconds: Int) throws {
        let sound = try sound([profile], sigma: 0.283, seed: 8)
        let frame = sound.count - 60_000
        // ggwave's start is found to a quarter of its shortest tone; FSK's to a seventh of one where phases
        // do not hold together.
        let tolerance =
            if case .dsss = profile.kind { 0.001 } else { profile.isChecked ? 0.007 : 0.02 }
        for milliseconds in [20, 50, 100, 200] where milliseconds <= longestMilliseconds {
            let lost = 48 * milliseconds
            for place in 0..<10 {
                let first = 30_000 + (frame - lost) * (2 * place + 1) / 20
                var receiver = Receiver(profiles: [profile])
                var reports = receiver.process(Array(sound[..<first]))
                reports += receiver.skip(frames: Int64(lost))
                reports += receiver.process(Array(sound[(first + lost)...])) + receiver.finish()
                #expect(reports.map(\.token) == [GapTests.token], "\(profile.name), \(milliseconds) ms")
                let start = try #require(reports.first).startSeconds
                #expect(abs(start - 0.625) < tolerance, "\(profile.name), \(milliseconds) ms: \(start) s")
            }
        }
    }

    /// Ten hours are lost. This settles everything under way, the clock moves on, and hardly anything is
    /// searched for it.
    @Test(arguments: [WaveformProfile.dsss, .dsssFar, .fskLong, .fskTelephone, .ggwave(fast), .fsk2])
    func aLongGapEndsWhatIsUnderWay(profile: WaveformProfile) throws {
        let sound = try sound([profile], sigma: 0.1, seed: 9)
        let diary = Diary()
        var receiver = Receiver(profiles: [profile], observer: diary)
        let lost = 36_000 * 48_000 + 7
        // The first frame is lost from its end on.
        var reports = receiver.process(Array(sound[..<(sound.count - 30_000)]))
        reports += receiver.skip(frames: Int64(lost))
        #expect(reports.map(\.token) == [GapTests.token])
        reports += receiver.process(sound) + receiver.finish()
        #expect(reports.map(\.token) == [GapTests.token, GapTests.token])
        let between = reports[1].startSample - reports[0].startSample
        #expect(abs(between - Double(sound.count - 30_000 + lost)) < 480)
        #expect(receiver.statistics.samples == 2 * sound.count - 30_000 + lost)
        let late = diary.starts.filter { $0 > 10 }
        #expect(late.allSatisfy { $0 > 36_000 })
        if case .ggwave = profile.kind { return }
        if case .uart = profile.kind { return }
        #expect(!late.isEmpty)
    }

    /// After 2³¹ and 2³² samples of input, after 2³¹ of a baseband, and after nine months, the reports are
    /// those after a minute, so much later.
    @Test(arguments: [
        WaveformProfile.dsss, .dsssFar, .dsssWide, .fsk, .fskLong, .fskTelephone, .ggwave(fast),
        .ggwave(fast, fixedByteCount: 8),
        .fsk2,
    ])
    func aLateClockChangesNothing(profile: WaveformProfile) throws {
        let sound = try sound([profile, profile], sigma: 0.2, seed: 12)
        func heard(after lost: Int64) -> [DecodeReport] {
            var receiver = Receiver(profiles: [profile])
            var reports = receiver.skip(frames: lost) + receiver.process(sound) + receiver.finish()
            for index in reports.indices { reports[index].startSample -= Double(lost) }
            return reports
        }
        let expected = heard(after: 60 * 48_000)
        #expect(!expected.isEmpty && expected.allSatisfy { $0.token == GapTests.token })
        for lost: Int64 in [(1 << 31) - 40_000, (1 << 32) - 40_000, (1 << 31) * 20 - 40_000, 1 << 40] {
            var reports = heard(after: lost)
            for (index, report) in expected.enumerated() where index < reports.count {
                // A double has 10⁻⁴ samples left.
                #expect(abs(reports[index].startSample - report.startSample) < 0.001)
                reports[index].startSample = report.startSample
            }
            #expect(reports == expected, "\(lost) frames")
        }
    }

    /// At a recording's rate, gaps of any length leave the clock right, even at rates that share only whole
    /// seconds.
    @Test(arguments: [44_100, 48_000, 96_000, 47_999]) func gapsAtAnyRate(rateHz: Int) throws {
        var resampler = Resampler(fromHz: 48_000, toHz: Double(rateHz))
        let sound = try resampler.process(sound([.dsss], sigma: 0.1, seed: 9)) + resampler.finish()
        for lost in [0, 1234, 3 * rateHz, 100 * rateHz + 1, 86_400 * rateHz + 12_345] {
            var receiver = ChannelReceiver(profiles: [.dsss], sampleRateHz: rateHz)
            var reports = receiver.skip(frames: Int64(lost))
            sound.withUnsafeBufferPointer { reports += receiver.process($0) }
            reports += receiver.skip(frames: Int64(lost))
            sound.withUnsafeBufferPointer { reports += receiver.process($0) }
            reports += receiver.finish()
            #expect(reports.count == 2, "\(lost) frames")
            for (index, report) in reports.enumerated() {
                let before = Double((index + 1) * lost + index * sound.count) / Double(rateHz)
                #expect(abs(report.startSeconds - before - 0.625) < 0.001, "\(lost) frames")
            }
        }
    }
}

private final class Diary: ReceiverObserver {
    private let traces = Mutex<[Double]>([])
    var starts: [Double] { traces.withLock { $0 } }
    func settled(_ candidate: CandidateTrace) { traces.withLock { $0.append(candidate.startSeconds) } }
}
