import Signal

/// Sound → baseband around 19.2 kHz, tones and all: what all receivers near it share.
///
///     48 kHz ─ BandDecimator ─▶ 2400 Hz ─┬──────────────▶ ends of loud frames, at once
///                                        └─ PulseLimiter ─┬─ ToneExciser ─▶ DSSS
///                                                         └─ SteadyTones ─▶ FSK
///
/// Streaming: chunks of any size give the same output as one long chunk.
package struct FrontEnd: Sendable {
    private var decimator = BandDecimator()
    private var limiter = PulseLimiter(rateHz: BandDecimator.outputRateHz)
    /// At 2400 Hz, of the samples taken last.
    package private(set) var baseband: [Complex] = []
    /// The same without bangs, 0.2 s later.
    package private(set) var limited: [Complex] = []

    package init() {}

    /// Takes samples at 48 kHz.
    package mutating func process(_ samples: UnsafeBufferPointer<Float>) {
        baseband.removeAll(keepingCapacity: true)
        limited.removeAll(keepingCapacity: true)
        decimator.process(samples, into: &baseband)
        limiter.process(baseband[...], into: &limited)
    }

    /// What is still under way at the end of a recording.
    mutating func finish() {
        let silence = [Float](repeating: 0, count: 2 * BandDecimator.delaySamples)
        silence.withUnsafeBufferPointer { process($0) }
        let blank = [Complex](repeating: .zero, count: limiter.delaySamples)
        limiter.process(blank[...], into: &limited)
    }
}
