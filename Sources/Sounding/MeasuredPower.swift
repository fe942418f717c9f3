/// A power that was measured in noise.
struct MeasuredPower {
    let power: Double
    /// Standard deviation of ``power``, over it.
    let relativeError: Double

    /// Standard deviations of the noise alone.
    private static let detection = 4.0

    /// Nil where noise alone could have been as loud.
    ///
    /// - Parameter valuesPerHertz: independent values that ``power`` is the mean of; the noise itself was measured on
    ///   those of ``SoundingSignal/quietSeconds``.
    init?(power: Double, noisePower: Double, bandwidthHz: Double, valuesPerHertz: Double) {
        let limit = MeasuredPower.limit(
            noisePower: noisePower, bandwidthHz: bandwidthHz, valuesPerHertz: valuesPerHertz)
        guard power > limit else { return nil }
        let (values, noiseValues) = (bandwidthHz * valuesPerHertz, bandwidthHz * SoundingSignal.quietSeconds)
        self.power = power
        // In a recording without any noise it is the filter's own arithmetic that blurs.
        let ratio = power / max(noisePower, 1e-12 * power)
        relativeError = ((1 + 2 * ratio) / values + 1 / noiseValues).squareRoot() / ratio
    }

    /// The least power that is told from noise. A silent recorder's last bits, or a filter's leakage, are no arrival
    /// either: 90 dB under the sweep.
    static func limit(noisePower: Double, bandwidthHz: Double, valuesPerHertz: Double) -> Double {
        let blur = (1 / valuesPerHertz + 1 / SoundingSignal.quietSeconds) / bandwidthHz
        return max(detection * noisePower * blur.squareRoot(), 1e-9)
    }
}
