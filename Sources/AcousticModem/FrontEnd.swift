import Signal

/// The conversion of sound to the baseband of one band, shared by all receivers in that band.
///
///     48 kHz ─ BandDecimator or Downconverter ─▶ 48 kHz / D ─┬──────────────▶ ends of loud frames, at once
///                                                            └─ PulseLimiter ─▶ DSSS, FSK
///
/// Streaming: chunks of any size give the same output as one long chunk.
package struct FrontEnd: Sendable {
    package let band: Band
    /// The baseband of the last sound.
    package private(set) var baseband: [Complex] = []
    /// The same baseband without impulses, ``limiterDelay`` samples later.
    package private(set) var limited: [Complex] = []
    private var limiter: PulseLimiter
    /// Exactly one of `decimator` and `downconverter` is set.
    private var decimator: BandDecimator?
    private var downconverter: Downconverter?

    package init(band: Band) {
        self.band = band
        limiter = PulseLimiter(band: band)
        if BandDecimator.serves(centreHz: band.centreHz, factor: band.decimation) {
            decimator = BandDecimator(cutoffHz: band.halfWidthHz)
        } else {
            downconverter = Downconverter(
                carrierHz: band.centreHz, cutoffHz: band.halfWidthHz, factor: band.decimation)
        }
    }

    /// The most baseband samples by which the limited baseband comes later.
    var limiterDelay: Int { limiter.delaySamples }

    /// Takes the next samples at 48 kHz, and makes ``baseband`` and ``limited`` from them.
    package mutating func process(_ samples: UnsafeBufferPointer<Float>) {
        baseband.removeAll(keepingCapacity: true)
        limited.removeAll(keepingCapacity: true)
        decimator?.process(samples, into: &baseband)
        downconverter?.process(samples, into: &baseband)
        limiter.process(baseband[...], into: &limited)
    }

    /// The samples of silence at 48 kHz after which nothing is under way here any more.
    var flushSamples: Int { 2 * delaySamples + band.decimation * limiterDelay }

    /// The delay of the filter in samples at 48 kHz.
    private var delaySamples: Int {
        downconverter?.delaySamples ?? BandDecimator.delaySamples
    }

    /// Ends a recording: ``baseband`` and ``limited`` become the part that was still under way.
    mutating func finish() {
        let silence = [Float](repeating: 0, count: 2 * delaySamples)
        silence.withUnsafeBufferPointer { process($0) }
        let blank = [Complex](repeating: .zero, count: limiter.delaySamples)
        limiter.process(blank[...], into: &limited)
    }
}
