import Glibc

/// Tones → passband samples: continuous phase, constant envelope, raised-cosine ramps. Opposite:
/// ``FSKDemodulator``.
///
///     frequency │    ╭────────╮                 a glide is half before and half after the boundary,
///               │────╯        ╰────             and its phase is what an abrupt step would have
///               └──ramp──┴──T──┴──T──┴──▶       given: symbols begin at phase 0
struct FSKModulator: Sendable {
    let profile: FSKProfile
    let sampleRateHz: Double

    /// Shape: `[symbolCount]` tones, counted through all sub-bands → samples at `sampleRateHz`, peak 1.
    func modulate(_ tones: [Int], delaySamples: Double = 0) -> [Float] {
        let plan = profile.tones
        let frequencies = tones.map { plan.frequencyHz(ofTone: $0) }
        let span = Double(tones.count) * plan.symbolSeconds
        let ramp = FSKProfile.rampSeconds
        // A millionth of a sample is taken off, so that whole numbers stay what they are.
        let count = Int(((span + 2 * ramp) * sampleRateHz - 1e-6).rounded(.up))
        return (0..<count).map { n in
            let seconds = (Double(n) - delaySamples) / sampleRateHz - ramp
            let symbol = min(max(Int((seconds / plan.symbolSeconds).rounded(.down)), 0), tones.count - 1)
            let cycles = cycles(seconds, symbol, frequencies)
            return Float(amplitude(seconds, span: span) * cos(2 * .pi * (cycles - cycles.rounded(.down))))
        }
    }

    /// Returns the cycles since the beginning of `symbol`, where the phase is 0.
    private func cycles(_ seconds: Double, _ symbol: Int, _ frequencies: [Double]) -> Double {
        let length = profile.tones.symbolSeconds
        let since = seconds - Double(symbol) * length
        var cycles = frequencies[symbol] * since
        if symbol > 0 { cycles += glide(since, from: frequencies[symbol - 1], to: frequencies[symbol]) }
        if symbol + 1 < frequencies.count {
            cycles += glide(since - length, from: frequencies[symbol], to: frequencies[symbol + 1])
        }
        return cycles
    }

    /// Returns the cycles that a glide about time 0 adds to the phase of an abrupt step there: an even
    /// function of time.
    private func glide(_ seconds: Double, from: Double, to: Double) -> Double {
        let width = FSKProfile.glideSeconds
        guard abs(seconds) < width / 2 else { return 0 }
        let x = -abs(seconds)
        return (to - from) * (0.5 * (x + width / 2) - width / (2 * .pi) * cos(.pi * x / width))
    }

    private func amplitude(_ seconds: Double, span: Double) -> Double {
        let ramp = FSKProfile.rampSeconds
        let edge = min(seconds + ramp, span + ramp - seconds)
        if edge <= 0 { return 0 }
        return edge < ramp ? 0.5 - 0.5 * cos(.pi * edge / ramp) : 1
    }
}
