import Glibc

/// The level of the noise relative to a transmission, in each of the usual definitions at once.
public struct NoiseLevel: Sendable, Hashable {
    /// The one-sided noise density N0 over samples: energy is Σ x², so white noise has the variance N0 / 2.
    public let density: Double
    /// The energy of the transmission for each payload bit, over ``density``.
    public let ebN0Decibels: Double
    /// The mean power of the transmission over the noise in 0–24 kHz.
    public let fullBandSNRDecibels: Double
    /// The mean power of the transmission over the noise in 18.5–20 kHz.
    public let inBandSNRDecibels: Double

    /// The standard deviation of white noise of this density.
    public var sigma: Float { Float((density / 2).squareRoot()) }

    static let fullBandHz = 24_000.0
    static let bandHz = 1500.0

    /// - Parameters:
    ///   - energy: Σ x² of the transmission as it arrives, on average.
    ///   - bitCount: the number of payload bits that this energy carries.
    ///   - durationSeconds: its time on air.
    public init(
        ebN0Decibels: Double, energy: Double, bitCount: Int, durationSeconds: Double, sampleRateHz: Double
    ) {
        let density = energy / Double(bitCount) / pow(10, ebN0Decibels / 10)
        self.density = density
        self.ebN0Decibels = ebN0Decibels
        // N0 per hertz of band is density / sampleRateHz of the mean power per sample.
        let power = energy / (durationSeconds * sampleRateHz)
        fullBandSNRDecibels = 10 * log10(power / (density * NoiseLevel.fullBandHz / sampleRateHz))
        inBandSNRDecibels = 10 * log10(power / (density * NoiseLevel.bandHz / sampleRateHz))
    }

    /// Creates the same level from the in-band ratio.
    public init(
        inBandSNRDecibels: Double, energy: Double, bitCount: Int, durationSeconds: Double,
        sampleRateHz: Double
    ) {
        let power = energy / (durationSeconds * sampleRateHz)
        let density = power / pow(10, inBandSNRDecibels / 10) * sampleRateHz / NoiseLevel.bandHz
        self.init(
            ebN0Decibels: 10 * log10(energy / Double(bitCount) / density), energy: energy, bitCount: bitCount,
            durationSeconds: durationSeconds, sampleRateHz: sampleRateHz)
    }
}
