import Testing

@testable import Plotting

@Suite struct LevelScaleTests {
    @Test func silence() {
        let scale = LevelScale(levels: [[Float](repeating: SpectrogramGrid.silenceDecibels, count: 9)])
        #expect(scale.floorDecibels == -120 && scale.topDecibels == -60)
        #expect(scale.share(SpectrogramGrid.silenceDecibels) < 0)
    }

    /// Noise is dark, and sound that is 20 dB louder is bright.
    @Test func noiseAndSignal() {
        let levels = (0..<1000).map { $0 % 10 == 0 ? Float(-20) : Float(-50) }
        let scale = LevelScale(levels: [levels])
        #expect(scale.share(-50) < 0.3 && scale.share(-20) > 0.8)
    }

    @Test func isNeverTooWideOrTooNarrow() {
        let flat = LevelScale(levels: [[-30, -30, -30]])
        #expect(flat.topDecibels - flat.floorDecibels == 30)
        let wide = LevelScale(levels: [(0..<1000).map { Float($0 < 900 ? -150 : 0) }])
        #expect(wide.topDecibels - wide.floorDecibels == 80)
        #expect(LevelScale(levels: [[.infinity, .nan]]).topDecibels == -60)
    }
}
