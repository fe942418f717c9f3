/// A power that was measured in noise.
struct MeasuredPower {
    let power: Double
    /// The standard deviation of ``power``, relative to it.
    let relativeError: Double

    /// The number of standard deviations of the noise alone that a power must exceed.
    private static let detection = 4.0

    /// Creates a measured power; `nil` if noise alone could have been as loud.
    ///
    /// - Parameter valuesPerHertz: the independent values whose mean ``power`` is; the noise itself was
    ///   measured on those of ``SoundingSignal/quietSeconds``.
    init?(power: Double, noisePower: Double, bandwidthHz: Double, valuesPerHertz: Double) {
        let limit = MeasuredPower.limit(
            noisePower: noisePower, bandwidthHz: bandwidthHz, valuesPerHertz: valuesPerHertz)
        guard power > limit else { return nil }
        let (values, noiseValues) = (bandwidthHz * valuesPerHertz, bandwidthHz * SoundingSignal.quietSeconds)
        self.power = power
        // In a recording without any noise, the filter's own arithmetic limits the precision.
        let ratio = power / max(noisePower, 1e-12 * power)
        relativeError = ((1 + 2 * ratio) / values + 1 / noiseValues).squareRoot() / ratio
    }

    /// Returns the least power that is told from noise. It is at least 90 dB under the sweep: a silent
    /// recorder's last bits, or a filter's leakage, are no arrival.
    static func limit(noisePower: Double, bandwidthHz: Double, valuesPerHertz: Double) -> Double {
        let blur = (1 / valuesPerHertz + 1 / SoundingSignal.quietSeconds) / bandwidthHz
        return max(detection * noisePower * blur.squareRoot(), 1e-9)
    }
}
