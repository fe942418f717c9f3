import Signal
import Testing

@testable import AcousticModem

/// Tests of reports of one frame by several channels.
@Suite struct ReportMergerTests {
    private struct Heard: MergeableReport {
        var report: DecodeReport
        var channel: Int
        let foundEnd: SamplePosition
    }

    private static func heard(on channel: Int, snr: Float, at seconds: Int) -> Heard {
        let report = DecodeReport(
            token: [1, 2, 3, 4, 5, 6, 7, 8], profile: .dsss, startSample: 48_000, snrDecibels: snr,
            ebN0Decibels: 20, speedMetersPerSecond: 0, repeats: 1, lane: 0)
        return Heard(report: report, channel: channel, foundEnd: SamplePosition(seconds * 48_000))
    }

    /// A channel that settles the frame up to four seconds after the others have been told of adds nothing.
    @Test(arguments: [true, false]) func aLateChannelAddsNothing(waitsForBest: Bool) {
        var merger = ReportMerger<Heard>(
            sampleRateHz: 48_000, channelCount: 3, waitsForBest: waitsForBest)
        merger.add(Self.heard(on: 1, snr: 10, at: 3))
        merger.add(Self.heard(on: 2, snr: 20, at: 3))
        var told: [Int] = []
        for second in 3...12 {
            if second == 8 { merger.add(Self.heard(on: 3, snr: 30, at: second)) }
            told += merger.take(after: SamplePosition(second * 48_000)).map(\.channel)
        }
        #expect(told == [2])
    }
}
