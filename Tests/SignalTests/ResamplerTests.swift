import Glibc
import Signal
import Testing

@Suite struct ResamplerTests {
    static let rates: [(from: Double, to: Double)] = [
        (44_100, 48_000), (96_000, 48_000), (48_000, 44_100), (192_000, 48_000), (88_200, 48_000),
        (47_999, 48_000), (44_099.37, 48_000), (48_000, 96_000),
    ]

    /// A tone comes out at the same frequency, phase and level: within 0.003 (−50 dB) of the ideal everywhere, which
    /// is 0.03 dB, up to 0.916 of the lower Nyquist frequency.
    @Test(arguments: rates) func tonesKeepTheirPhase(rate: (from: Double, to: Double)) {
        let edgeHz = 0.458 * min(rate.from, rate.to)
        for toneHz in [50, 1000, 0.4 * edgeHz, 0.9 * edgeHz, edgeHz] {
            let output = converted(tone(toneHz, at: rate.from, count: 6000), rate)
            let ideal = tone(toneHz, at: rate.to, count: output.count)
            let settled =
                Int(400 * max(1, rate.to / rate.from))..<(output.count - Int(400 * rate.to / rate.from))
            let worst = settled.map { abs(output[$0] - ideal[$0]) }.max()!
            #expect(worst < 0.003, "\(toneHz) Hz")
        }
    }

    /// Nothing that 44.1 kHz holds appears elsewhere in 18–20 kHz of 48 kHz: images stay under −75 dB.
    @Test(arguments: Array(stride(from: 8000.0, through: 21_900, by: 700))) func imagesStayOutOfTheBand(
        toneHz: Double
    ) {
        let output = converted(tone(toneHz, at: 44_100, count: 16_000), (44_100, 48_000))
        let block = Array(output[4000..<12_192])
        let spectrum = windowedPower(block)
        let binHz = 48_000 / Double(block.count)
        let worst = spectrum.indices.filter {
            let hz = Double($0) * binHz
            return (18_000...20_000).contains(hz) && abs(hz - toneHz) > 60
        }.map { spectrum[$0] }.max()!
        #expect(10 * log10(worst) < -75)
    }

    /// What would fold into 18–20 kHz from above half the output's rate is gone.
    @Test(arguments: [28_000.0, 29_000, 30_000, 68_500, 76_000]) func aliasesAreGone(toneHz: Double) {
        let rate = toneHz < 48_000 ? 96_000.0 : 192_000
        let output = converted(tone(toneHz, at: rate, count: 40_000), (rate, 48_000))
        let power = output[500..<(output.count - 500)].reduce(0) { $0 + Double($1 * $1) }
        #expect(10 * log10(power / Double(output.count - 1000) * 2) < -75)
    }

    @Test(arguments: rates) func chunksDoNotMatter(rate: (from: Double, to: Double)) {
        var generator = SplitMix64(seed: 1)
        let input = (0..<5000).map { _ in Float(generator.nextUnit()) - 0.5 }
        let whole = converted(input, rate)
        var resampler = Resampler(fromHz: rate.from, toHz: rate.to)
        var output: [Float] = []
        var rest = input[...]
        while !rest.isEmpty {
            let chunk = Array(rest.prefix(Int(generator.next() % 300)))
            output += resampler.process(chunk)
            rest = rest.dropFirst(chunk.count)
        }
        output += resampler.finish()
        #expect(output == whole)
        #expect(output.count == Int((5000 * rate.to / rate.from).rounded(.up)))
    }

    @Test func sameRateIsTheIdentity() {
        let input = tone(1000, at: 48_000, count: 100)
        #expect(converted(input, (48_000, 48_000)) == input)
    }

    @Test func emptyAndOneSample() {
        #expect(converted([], (44_100, 48_000)) == [])
        #expect(converted([1], (44_100, 48_000)).count == 2)
    }

    private func converted(_ input: [Float], _ rate: (from: Double, to: Double)) -> [Float] {
        var resampler = Resampler(fromHz: rate.from, toHz: rate.to)
        return resampler.process(input) + resampler.finish()
    }
}

/// sin(2π f n / rate + 0.3).
private func tone(_ hz: Double, at rateHz: Double, count: Int) -> [Float] {
    (0..<count).map { Float(sin(2 * Double.pi * hz * Double($0) / rateHz + 0.3)) }
}

/// Power of each bin below half the rate under a Kaiser window of 100 dB, 1 for a full-scale tone.
private func windowedPower(_ x: [Float]) -> [Double] {
    let window = KaiserWindow(attenuationDecibels: 100)
    let weights = x.indices.map { Float(window.value(at: 2 * (Double($0) + 0.5) / Double(x.count) - 1)) }
    var bins = zip(x, weights).map { Complex($0 * $1) }
    FFT(count: x.count).forward(&bins)
    let gain = weights.reduce(0, +) / 2
    return bins.prefix(x.count / 2).map { Double($0.power / (gain * gain)) }
}
