import AcousticModem
import Testing

/// Tests of loud frames after one another and after a long silence, when the memory of the last ones has been
/// given back.
@Suite struct PauseTests {
    @Test(arguments: [WaveformProfile.dsss, .dsssQuick, .dsssFar])
    func framesAreHeardAfterPausesOfAnyLength(profile: WaveformProfile) throws {
        let starts = [1.0, 6, 30, 36, 70]
        var samples = [Float](repeating: 0, count: 78 * 48_000)
        for (index, start) in starts.enumerated() {
            let token = [UInt8](repeating: UInt8(index + 1), count: 8)
            let waveform = try Transmitter(profile: profile).waveform(of: token)
            for i in waveform.indices { samples[Int(start * 48_000) + i] = 0.2 * waveform[i] }
        }
        var receiver = Receiver(profiles: [profile])
        var reports: [DecodeReport] = []
        for first in stride(from: 0, to: samples.count, by: 4800) {
            reports += receiver.process(Array(samples[first..<first + 4800]))
        }
        reports += receiver.finish()
        #expect(reports.map { $0.token[0] } == [1, 2, 3, 4, 5])
        for (report, start) in zip(reports, starts) { #expect(abs(report.startSeconds - start) < 0.001) }
    }
}
