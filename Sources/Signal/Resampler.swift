/// A conversion of real samples from one rate to another, in any real ratio. Streaming: chunks of any size
/// give the same output as one long chunk.
///
/// Output n stands at input position `startOffsetSamples + n fromHz / toHz`: the filter's delay is
/// compensated. Silence precedes the first sample. Flat within 0.1 dB to 20.2 kHz from 44.1 to 48 kHz; errors
/// at 20 kHz are under −70 dB. At a ratio near 1 it models the time warp of a Doppler shift.
///
/// Shapes: in `[n]` → out `[≈ n toHz / fromHz]`.
package struct Resampler: Sendable {
    private let clock: ResamplerClock
    private let taps: ResamplerTaps
    /// The input from sample `windowStart` on, silence before sample 0 included; little longer than the taps.
    private var window: [Float]
    private var windowStart: SamplePosition
    private var inputEnd: SamplePosition = 0
    private var outputEnd: SamplePosition = 0

    /// Precondition: the rates are positive and finite; the offset is finite.
    package init(fromHz: Double, toHz: Double, startOffsetSamples: Double = 0) {
        clock = ResamplerClock(fromHz: fromHz, toHz: toHz, startOffsetSamples: startOffsetSamples)
        taps = ResamplerTaps(decimation: max(1, fromHz / toHz), phaseCount: clock.phaseCount)
        window = [Float](repeating: 0, count: taps.tapCount)
        windowStart = SamplePosition(-taps.tapCount)
    }

    package mutating func process(_ input: UnsafeBufferPointer<Float>) -> [Float] {
        window.append(contentsOf: input)
        inputEnd += input.count
        return produce(through: .max)
    }

    package mutating func process(_ input: [Float]) -> [Float] {
        input.withUnsafeBufferPointer { process($0) }
    }

    /// Ends the input. Returns the outputs up to the last sample's time, with silence after it. Nothing may
    /// follow.
    package mutating func finish() -> [Float] {
        window.append(contentsOf: repeatElement(0, count: taps.tapCount))
        return produce(through: inputEnd - 1)
    }

    /// Returns all outputs whose taps the window holds, no later than the input sample `lastSample`.
    private mutating func produce(through lastSample: SamplePosition) -> [Float] {
        var output: [Float] = []
        let reach = taps.tapCount / 2
        var instant = clock.instant(outputEnd)
        window.withUnsafeBufferPointer { samples in
            let end = windowStart + samples.count
            while instant.sample + reach < end, instant.isAtOrBefore(lastSample) {
                let first = instant.sample - windowStart - reach + 1
                // Before the window, at its very start, all is silence.
                output.append(first < 0 ? 0 : value(samples.baseAddress! + first, instant))
                outputEnd += 1
                instant = clock.instant(outputEnd)
            }
        }
        let used = min(window.count, instant.sample - windowStart - reach + 1)
        if used > 0 {
            window.removeFirst(used)
            windowStart += used
        }
        return output
    }

    private func value(_ x: UnsafePointer<Float>, _ instant: ResamplerClock.Instant) -> Float {
        let here = taps.filter(x, row: instant.phase)
        guard instant.towardsNextPhase > 0 else { return here }
        return here + instant.towardsNextPhase * (taps.filter(x, row: instant.phase + 1) - here)
    }
}
