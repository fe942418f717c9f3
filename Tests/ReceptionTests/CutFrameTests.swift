import ChannelSim
import Glibc
import Signal
import TestSupport
import Testing

@testable import AcousticModem

/// Tests of frames that lost some sound, or had silence inserted, without notice to the receiver.
@Suite struct CutFrameTests {
    enum Fault: String, CaseIterable, Sendable { case removed, inserted }

    private static let token: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]
    private static let places = Trials.count(8, many: 30)

    /// The cuts take 20 ms to 1.2 s, at places from a tenth to nine tenths of the frame. Each frame gives at
    /// most one report, whose start is right except for the cut. Trials: 30 places each, or 8; SNR 20 dB in
    /// 1500 Hz. `told`, of 30, is less than the measured number by two (DSSS) or three, because the rest of a
    /// frame may not be enough: FSK's code bears the loss of six symbols of 34, 1.2 s are more than some
    /// frames have, and a remaining tenth of a second of a frame is taken for a bang.
    @Test(arguments: [
        (WaveformProfile.dsssQuick, Fault.inserted, 26), (.dsssQuick, .removed, 21),
        (.dsss, .inserted, 28), (.dsss, .removed, 28), (.dsssFar, .inserted, 28), (.dsssFar, .removed, 23),
        (.fsk, .inserted, 28), (.fsk, .removed, 18), (.fskLong, .inserted, 28), (.fskLong, .removed, 20),
    ])
    func oneFrameIsOneReport(profile: WaveformProfile, fault: Fault, told: Int) throws {
        var random = SplitMix64(seed: 34)
        let frame = try Transmitter(profile: profile).waveform(of: CutFrameTests.token)
        var counts = [Int](repeating: 0, count: 4)
        for place in 0..<CutFrameTests.places {
            let share = Double(place) / Double(CutFrameTests.places - 1)
            let seconds = 0.02 * exp2(share * log2(60.0))
            let cut = Int(seconds * 48_000)
            let at = Int((0.1 + 0.8 * random.nextUnit()) * Double(frame.count))
            var sound = [Float](repeating: 0, count: 48_000) + frame[..<at]
            if fault == .inserted { sound += [Float](repeating: 0, count: cut) + frame[at...] }
            if fault == .removed { sound += frame[min(at + cut, frame.count)...] }
            sound += [Float](repeating: 0, count: 36_000)
            // The frame's power is ½ over that of 1500 Hz of noise.
            var noise = NoiseSource(seed: UInt64(place))
            noise.add(to: &sound, sigma: 0.283)
            var receiver = Receiver(profiles: [profile])
            let reports = receiver.process(sound.map { $0 * 0.1 }) + receiver.finish()
            #expect(reports.allSatisfy { $0.token == CutFrameTests.token })
            for report in reports {
                #expect(abs(report.startSeconds - 1) < seconds + 0.05, "\(profile.name), \(seconds) s")
            }
            counts[min(reports.count, 3)] += 1
        }
        #expect(counts[2] + counts[3] == 0, "\(profile.name) \(fault): \(counts)")
        // Of eight, their share and two more may be missed.
        let missed = Trials.areMany ? 30 - told : (30 - told) * CutFrameTests.places / 30 + 2
        #expect(counts[1] >= CutFrameTests.places - missed, "\(profile.name) \(fault): \(counts)")
    }

    /// A sender's repeats without a gap, and another sender's same token on another lane, are reported
    /// separately.
    @Test(arguments: [WaveformProfile.dsssQuick, .dsss, .fsk]) func repeatsBackToBack(
        profile: WaveformProfile
    )
        throws
    {
        let frame = try Transmitter(profile: profile).waveform(of: CutFrameTests.token)
        let other = try Transmitter(profile: profile, lane: 2).waveform(of: CutFrameTests.token)
        var sound = [Float](repeating: 0, count: 24_000) + frame + frame + frame
        sound += [Float](repeating: 0, count: 60_000)
        for i in other.indices { sound[36_000 + i] += 0.5 * other[i] }
        var noise = NoiseSource(seed: 3)
        noise.add(to: &sound, sigma: 0.283)
        var receiver = Receiver(profiles: [profile])
        let reports = receiver.process(sound.map { $0 * 0.1 }) + receiver.finish()
        #expect(reports.count { $0.lane == 0 } == 3, "\(reports.map(\.startSeconds))")
    }

    /// Two whole frames are not the beginning and end of one, however near they follow one another.
    @Test func onlyPartsCompleteEachOther() {
        func frame(_ startSeconds: Double, _ part: Range<Float>) -> ReportedFrame {
            ReportedFrame(
                startSeconds: startSeconds, durationSeconds: 0.45, lane: 0, token: CutFrameTests.token,
                soundingPart: part)
        }
        let (first, last) = (frame(10, 0..<0.5), frame(11.2, 0.5..<1))
        #expect(first.isTwin(of: last) && last.isTwin(of: first))
        #expect(!frame(10, 0..<1).isTwin(of: frame(10.45, 0..<1)))
        #expect(!frame(10, 0..<0.5).isTwin(of: frame(11.2, 0..<1)))
        #expect(!frame(10, 0..<1).isTwin(of: last))
        #expect(!frame(10, 0.5..<1).isTwin(of: frame(11.2, 0..<0.5)))
        #expect(!first.isTwin(of: frame(11.5, 0.5..<1)))
        #expect(frame(10, 0..<1).isTwin(of: frame(10.4, 0..<1)))
    }
}
