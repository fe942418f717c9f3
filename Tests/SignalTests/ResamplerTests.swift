import Glibc
import Signal
import Testing

@Suite struct ResamplerTests {
    /// The arguments are Hz from, Hz to, Hz of the tone, start in samples, largest error in dB. Phases are
    /// exact or interpolated.
    @Test(
        arguments: [
            (44_100, 48_000, 19_200, 0, -85), (44_100, 48_000, 20_000, 0, -85),
            (44_100, 48_000, 1000, 3, -80), (48_000, 44_100, 19_200, 0, -85),
            (96_000, 48_000, 20_000, 0, -85), (192_000, 48_000, 19_200, 0, -85),
            (48_000, 48_000, 20_000, 0.37, -85), (48_000, 48_000, 20_000, -2.5, -85),
            (1.00437 * 48_000, 48_000, 20_000, 0, -85), (0.99563 * 48_000, 48_000, 20_000, 7.123, -85),
        ] as [(Double, Double, Double, Double, Double)])
    func keepsATone(fromHz: Double, toHz: Double, toneHz: Double, start: Double, errorDecibels: Double) {
        let turn = 2 * Double.pi * toneHz / fromHz
        var resampler = Resampler(fromHz: fromHz, toHz: toHz, startOffsetSamples: start)
        let input = (0..<20_000).map { Float(sin(turn * Double($0))) }
        let output = resampler.process(input) + resampler.finish()
        var wrong = 0.0
        var count = 0
        // The range is clear of the ends, where the tone is cut off.
        for n in 1000..<output.count - 1000 {
            let expected = sin(turn * (start + Double(n) * fromHz / toHz))
            wrong += (Double(output[n]) - expected) * (Double(output[n]) - expected)
            count += 1
        }
        let decibels = 10 * log10(wrong / Double(count) / 0.5)
        #expect(decibels < errorDecibels, "\(decibels) dB")
    }

    /// The band edge is tested at the steepest use.
    @Test(arguments: [500.0, 18_500, 19_200, 20_200]) func isFlat(toneHz: Double) {
        let output = tone(toneHz, fromHz: 44_100, toHz: 48_000)
        #expect(abs(level(output, toneHz: toneHz, rateHz: 48_000)) < 0.1)
    }

    @Test(arguments: [27_000.0, 30_000, 40_000]) func keepsOutWhatWouldFold(toneHz: Double) {
        let output = tone(toneHz, fromHz: 96_000, toHz: 48_000)
        let power = output[1000..<output.count - 1000].reduce(0.0) { $0 + Double($1 * $1) }
        #expect(10 * log10(power / Double(output.count - 2000) / 0.5) < -60)
    }

    @Test(arguments: [44_100.0, 48_000 * 1.00437, 96_000]) func chunksDoNotShow(fromHz: Double) {
        var generator = SplitMix64(seed: 5)
        let input = (0..<5000).map { _ in Float(generator.nextUnit() - 0.5) }
        var whole = Resampler(fromHz: fromHz, toHz: 48_000, startOffsetSamples: 0.25)
        let expected = whole.process(input) + whole.finish()
        for chunk in [1, 7, 480, 4999] {
            var parts = Resampler(fromHz: fromHz, toHz: 48_000, startOffsetSamples: 0.25)
            var output: [Float] = []
            for start in stride(from: 0, to: input.count, by: chunk) {
                output += parts.process(Array(input[start..<min(input.count, start + chunk)]))
            }
            output += parts.finish()
            #expect(output == expected)
        }
    }

    /// Outputs stand at 0, r, 2r … and no later than the last input.
    @Test(
        arguments: [
            (44_100, 48_000, 0, 44_101, 48_001), (44_100, 48_000, 0, 44_100, 47_999),
            (96_000, 48_000, 0, 10, 5), (96_000, 48_000, 0, 11, 6), (96_000, 48_000, 0, 0, 0),
            (48_000, 48_000, 0, 1, 1), (48_000, 48_000, 100, 50, 0), (48_000, 48_000, 100, 150, 50),
            (48_000, 48_000, -1000, 10, 1010), (48_000, 48_000, 0.5, 10, 9), (3, 2, 0, 1000, 667),
            (1.5, 1, 1000, 2501, 1001),
        ] as [(Double, Double, Double, Int, Int)])
    func count(fromHz: Double, toHz: Double, start: Double, inputCount: Int, outputCount: Int) {
        var resampler = Resampler(fromHz: fromHz, toHz: toHz, startOffsetSamples: start)
        let output = resampler.process([Float](repeating: 1, count: inputCount)) + resampler.finish()
        #expect(output.count == outputCount)
        #expect(resampler.finish().isEmpty)
    }

    /// At the same rate every sample comes out unchanged; before the first there is silence.
    @Test func sameRateIsADelay() {
        let input = (1...300).map { Float($0) / 300 }
        var resampler = Resampler(fromHz: 48_000, toHz: 48_000, startOffsetSamples: -200)
        let output = resampler.process(input) + resampler.finish()
        let expected = [Float](repeating: 0, count: 200) + input
        #expect(output.count == expected.count)
        for (a, b) in zip(output, expected) { #expect(abs(a - b) < 1e-5) }
    }

    private func tone(_ toneHz: Double, fromHz: Double, toHz: Double) -> [Float] {
        var resampler = Resampler(fromHz: fromHz, toHz: toHz)
        return resampler.process((0..<20_000).map { Float(sin(2 * .pi * toneHz / fromHz * Double($0))) })
    }

    /// Returns the level in dB over amplitude 1, by correlation with the tone.
    private func level(_ x: [Float], toneHz: Double, rateHz: Double) -> Double {
        let range = 1000..<x.count - 1000
        var (re, im) = (0.0, 0.0)
        for n in range {
            let angle = 2 * .pi * toneHz / rateHz * Double(n)
            re += Double(x[n]) * cos(angle)
            im += Double(x[n]) * sin(angle)
        }
        return 20 * log10(2 * (re * re + im * im).squareRoot() / Double(range.count))
    }
}
