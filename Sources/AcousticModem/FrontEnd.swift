import Signal

/// Sound → baseband of one band, tones and all: what all receivers in it share.
///
///     48 kHz ─ BandDecimator or Downconverter ─▶ 48 kHz / D ─┬──────────────▶ ends of loud frames, at once
///                                                            └─ PulseLimiter ─▶ DSSS, FSK
///
/// Streaming: chunks of any size give the same output as one long chunk.
package struct FrontEnd: Sendable {
    package let band: Band
    /// The last sound in this band.
    package private(set) var baseband: [Complex] = []
    /// The same without bangs, ``limiterDelay`` samples later.
    package private(set) var limited: [Complex] = []
    private var limiter: PulseLimiter
    /// One of the two.
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

    /// Samples of the baseband by which the limited one comes later, at most.
    var limiterDelay: Int { limiter.delaySamples }

    /// Takes the next samples at 48 kHz, and makes ``baseband`` and ``limited`` of them.
    package mutating func process(_ samples: UnsafeBufferPointer<Float>) {
        baseband.removeAll(keepingCapacity: true)
        limited.removeAll(keepingCapacity: true)
        decimator?.process(samples, into: &baseband)
        downconverter?.process(samples, into: &baseband)
        limiter.process(baseband[...], into: &limited)
    }

    /// At 48 kHz: after so much silence nothing is under way here any more.
    var flushSamples: Int { 2 * delaySamples + band.decimation * limiterDelay }

    /// The filter holds back so many samples at 48 kHz.
    private var delaySamples: Int {
        downconverter?.delaySamples ?? BandDecimator.delaySamples
    }

    /// The end of a recording: ``baseband`` and ``limited`` are what was still under way.
    mutating func finish() {
        let silence = [Float](repeating: 0, count: 2 * delaySamples)
        silence.withUnsafeBufferPointer { process($0) }
        let blank = [Complex](repeating: .zero, count: limiter.delaySamples)
        limiter.process(blank[...], into: &limited)
    }
}
