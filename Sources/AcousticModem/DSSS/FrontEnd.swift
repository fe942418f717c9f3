import Signal

/// Sound → baseband without tones: what every profile's receiver listens to.
///
///     48 kHz ─ BandDecimator ─▶ 2400 Hz around 19.2 kHz ─ ToneExciser ─▶
///
/// Streaming: chunks of any size give the same output as one long chunk.
package struct FrontEnd: Sendable {
    private var decimator = BandDecimator()
    private var exciser = ToneExciser()
    private var decimated: [Complex] = []

    package init() {}

    package mutating func process(_ samples: UnsafeBufferPointer<Float>, into baseband: inout [Complex]) {
        decimated.removeAll(keepingCapacity: true)
        decimator.process(samples, into: &decimated)
        exciser.process(decimated[...], into: &baseband)
    }

    /// The first half of ``process(_:into:)``: at once, tones and all.
    mutating func decimate(_ samples: UnsafeBufferPointer<Float>, into decimated: inout [Complex]) {
        decimator.process(samples, into: &decimated)
    }

    /// The second half: a fifth of a second later.
    mutating func excise(_ decimated: ArraySlice<Complex>, into baseband: inout [Complex]) {
        exciser.process(decimated, into: &baseband)
    }

    /// What is still under way at the end of a recording.
    mutating func finish(into baseband: inout [Complex]) {
        let silence = [Float](repeating: 0, count: 2 * BandDecimator.delaySamples)
        silence.withUnsafeBufferPointer { process($0, into: &baseband) }
        let blank = [Complex](repeating: .zero, count: ToneExciser.blockCount)
        exciser.process(blank[...], into: &baseband)
    }
}
