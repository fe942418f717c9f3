import Signal

/// Sound → baseband around 19.2 kHz, tones and all: what all receivers near it share.
///
///     48 kHz ─ BandDecimator ─▶ 2400 Hz ─┬─ ToneExciser ─▶ DSSS
///                                        └─ SteadyTones ─▶ FSK
///
/// Streaming: chunks of any size give the same output as one long chunk.
package struct FrontEnd: Sendable {
    private var decimator = BandDecimator()
    private var baseband: [Complex] = []

    package init() {}

    /// At 48 kHz → at 2400 Hz.
    package mutating func process(_ samples: UnsafeBufferPointer<Float>) -> [Complex] {
        baseband.removeAll(keepingCapacity: true)
        decimator.process(samples, into: &baseband)
        return baseband
    }

    /// What is still under way at the end of a recording.
    mutating func finish() -> [Complex] {
        let silence = [Float](repeating: 0, count: 2 * BandDecimator.delaySamples)
        return silence.withUnsafeBufferPointer { process($0) }
    }
}
