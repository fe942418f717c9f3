import ChannelSim
import Glibc
import Testing

@Suite struct SpeakerDistortionTests {
    /// Returns the amplitude of a frequency, in cycles over the samples.
    private func amplitude(_ samples: [Float], cycles: Int) -> Double {
        let turn = 2 * Double.pi * Double(cycles) / Double(samples.count)
        var (re, im) = (0.0, 0.0)
        for (n, x) in samples.enumerated() {
            re += Double(x) * cos(turn * Double(n))
            im += Double(x) * sin(turn * Double(n))
        }
        return 2 * hypot(re, im) / Double(samples.count)
    }

    @Test(arguments: [0.1, 1, 10]) func aToneHasTheThirdHarmonic(percent: Double) {
        let tone = (0..<4800).map { 0.3 * Float(sin(2 * Double.pi * 100 * Double($0) / 4800)) }
        let played = SpeakerDistortion(percent: percent).apply(to: tone)
        let share = amplitude(played, cycles: 300) / amplitude(played, cycles: 100)
        #expect(abs(share - percent / 100) < 1e-4, "\(share)")
        // Nothing else: the fifth has none.
        #expect(amplitude(played, cycles: 500) < 1e-6)
    }

    @Test func noneChangesNothing() {
        #expect(SpeakerDistortion().apply(to: [0.5, -1, 0.25]) == [0.5, -1, 0.25])
        #expect(SpeakerDistortion(percent: 5).apply(to: [0, 0]) == [0, 0])
    }
}
