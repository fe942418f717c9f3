import Signal
import Testing

@testable import AcousticModem

@Suite struct FSKRepeatSearchTests {
    private static let profile = FSKProfile.fsk
    /// The steps from a short frame to its repeat.
    private static let period: Int = {
        let seconds = profile.durationSeconds(.short) + WaveformProfile.standardGapSeconds
        let rateHz = profile.tones.basebandRateHz / Double(profile.tones.stepSamples)
        return Int((seconds * rateHz).rounded())
    }()

    /// Returns the repeats found within half a minute in which frames begin at some steps, in noise that
    /// speaks against frames anywhere else.
    private func repeats(ofFramesAt frames: [Int: Float]) -> [FSKRepeatSearch.Candidate] {
        let dopplers = DopplerHypotheses(timeScales: [-0.001, 0, 0.001], walker: nil)
        var search = FSKRepeatSearch(profile: FSKRepeatSearchTests.profile, dopplers: dopplers)
        var found: [FSKRepeatSearch.Candidate] = []
        let width = ToneField.blockSteps + 8
        for block in 0..<30 {
            let first = block * ToneField.blockSteps
            var table = [Float](repeating: -20, count: dopplers.columnCount * width)
            // A row begins one step before its block.
            for i in 0..<width {
                table[FSKFrameLayout.laneCount * width + i] = frames[first + i - 1] ?? -20
            }
            table.withUnsafeBufferPointer {
                search.search(
                    $0.baseAddress!, stride: width, lead: 1, first: SamplePosition(first), into: &found)
            }
        }
        return found
    }

    @Test func twoFaintFramesOneGapApartAreFound() {
        let found = repeats(ofFramesAt: [700: 7, 700 + FSKRepeatSearchTests.period: 7])
        #expect(found.map(\.frames.count) == [2])
        #expect(found.first?.score ?? 0 > Thresholds.fsk.repeatNats)
    }

    /// It is a candidate by itself. As a repeat of nothing it would be decoded again after each gap.
    @Test func aLoudFrameAloneIsNoRepeat() {
        #expect(repeats(ofFramesAt: [700: 60]).isEmpty)
    }

    @Test func aFrameMissingAmongThreeIsNoHindrance() {
        let period = FSKRepeatSearchTests.period
        let found = repeats(ofFramesAt: [700: 12, 700 + 2 * period: 12, 700 + period: -2])
        #expect(found.contains { $0.frames.count == 3 })
    }
}
