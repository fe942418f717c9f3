import AcousticModem
import AudioIO
import Testing

@testable import Plotting

@Suite struct EchoProfileTests {
    private let format = AudioFormat(sampleRateHz: 48_000, channelCount: 1)

    private func hear(_ sound: [Float], _ profile: WaveformProfile) throws -> (DecodeReport, BasebandHistory)
    {
        var receiver = Receiver(profiles: [profile])
        let reports = receiver.process(sound) + receiver.finish()
        var history = BasebandHistory(format: format, channels: [1])
        history.add(AudioBlock(mono: sound))
        return (try #require(reports.first), history)
    }

    /// The sound is a frame and its echo 20 ms later, 6 dB quieter.
    @Test(arguments: [WaveformProfile.dsssQuick, .dsss, .dsssFar]) func showsAnEcho(profile: WaveformProfile)
        throws
    {
        let frame = try Transmitter(profile: profile).waveform(of: [1, 2, 3, 4, 5])
        var sound = [Float](repeating: 0, count: frame.count + 48_000)
        for (n, sample) in frame.enumerated() {
            sound[10_000 + n] += 0.5 * sample
            sound[10_960 + n] += 0.25 * sample
        }
        let (report, history) = try hear(sound, profile)
        let echoes = try #require(EchoProfile(of: report, channel: 1, in: history))
        func level(milliseconds: Double) -> Float {
            echoes.decibels[
                Int((milliseconds - EchoProfile.firstMilliseconds) / EchoProfile.stepMilliseconds)]
        }
        // The report's start is right within a small part of a chip.
        #expect(level(milliseconds: 0) > -0.5)
        #expect(abs(level(milliseconds: 20) + 6) < 1)
        for empty in [-4.0, 5, 10, 15, 25, 40] { #expect(level(milliseconds: empty) < -20) }
    }

    /// Without compensation, an error of a tenth of a metre a second would wipe the frame out.
    @Test func aFrameOnTheMove() throws {
        let frame = try Transmitter(profile: .dsss).waveform(of: [9, 8, 7])
        let compression = 1 + 1.2 / 343
        var sound = [Float](repeating: 0, count: 20_000)
        for n in 0..<Int(Double(frame.count - 2) / compression) {
            let place = Double(n) * compression
            let whole = Int(place)
            sound.append(frame[whole] + Float(place - Double(whole)) * (frame[whole + 1] - frame[whole]))
        }
        sound += [Float](repeating: 0, count: 40_000)
        let (report, history) = try hear(sound, .dsss)
        let echoes = try #require(EchoProfile(of: report, channel: 1, in: history))
        let far = echoes.decibels.enumerated().filter { $0.offset > 100 }.map(\.element)
        #expect(far.allSatisfy { $0 < -15 })
    }

    /// Half a minute later the frame is forgotten, and nothing breaks.
    @Test func whatIsNotKept() throws {
        let frame = try Transmitter(profile: .dsssQuick).waveform(of: [1])
        var (report, history) = try hear(frame + [Float](repeating: 0, count: 24_000), .dsssQuick)
        #expect(EchoProfile(of: report, channel: 2, in: history) == nil)
        for _ in 0..<45 { history.add(AudioBlock(mono: [Float](repeating: 0, count: 48_000))) }
        #expect(EchoProfile(of: report, channel: 1, in: history) == nil)
        report.startSample += 40 * 48_000
        #expect(EchoProfile(of: report, channel: 1, in: history) == nil, "silence has no strongest path")
    }
}
