import ChannelSim
import Sounding
import Testing

@testable import Plotting

@Suite struct SoundingPlotTests {
    private func report(_ gain: Float, sigma: Float) throws -> SoundingReport {
        var noise = NoiseSource(seed: 1)
        let signal = SoundingSignal().samples
        var sound = noise.samples(signal.count + 24_000, sigma: sigma)
        for i in signal.indices { sound[i] += gain * signal[i] }
        return try SoundingAnalysis(sound, sampleRateHz: 48_000).report()
    }

    /// In the upper chart, a flat response lies on its 0 dB; a part that noise hides is a hole.
    @Test func theResponseStandsAtItsLevel() throws {
        let canvas = SoundingPlot.draw(try report(0.1, sigma: 1e-4), title: "flat")
        #expect(canvas.width == SoundingPlot.width && canvas.height == SoundingPlot.height)
        // The axis goes from 10 dB down to −10: zero is half down 218 pixels.
        let rows = (84..<304).filter { canvas[500, $0] == Theme.frame }
        #expect(rows.count >= 2 && rows.allSatisfy { abs($0 - (84 + 109)) <= 3 }, "\(rows)")
    }

    @Test func hiddenAndSilent() throws {
        for (gain, sigma) in [(0.01, 0.03), (0.1, 0), (1e-4, 0)] as [(Float, Float)] {
            #expect(
                SoundingPlot.draw(try report(gain, sigma: sigma), title: "").height == SoundingPlot.height)
        }
    }
}
