import Signal

/// The effect of motion and clock difference: a passband waveform is heard exactly faster or slower, and not
/// only shifted in frequency.
///
///     y(t) = x(compression · (t − delay)),   compression = 1 + speed / 343 m/s + skew · 10⁻⁶
///
/// At 1.5 m/s that is 84 Hz at 19.2 kHz and 5 ms in a frame of 1.2 s. Positive speed approaches. Errors of
/// the interpolation are under −70 dB at 20 kHz in 48 kHz; `TimeWarpTests` checks that.
public struct TimeWarp: Sendable, Hashable {
    /// The speed of sound in air of some 20 °C, which all of this library uses.
    public static let speedOfSoundMetersPerSecond = 343.0

    /// The factor by which it is heard faster than sent: over 1 it is shorter and higher. Positive.
    public var compression: Double

    /// Creates a warp of a compression, which must be positive.
    public init(compression: Double) { self.compression = compression }

    /// - Precondition: the speed is less than that of sound.
    public init(speedMetersPerSecond: Double, clockSkewPPM: Double = 0) {
        precondition(
            speedMetersPerSecond.magnitude < TimeWarp.speedOfSoundMetersPerSecond,
            "motion is slower than sound")
        compression = 1 + speedMetersPerSecond / TimeWarp.speedOfSoundMetersPerSecond + clockSkewPPM * 1e-6
    }

    /// Warps samples. Shape: `[n]` at `fromHz` → `[≈ n toHz / fromHz / compression]` at `toHz`. Silence
    /// follows the end.
    ///
    /// - Parameter delaySamples: the delay in output samples, 0 ≤ delay < 1; it also moves the carrier's
    ///   phase.
    public func apply(
        to samples: [Float], fromHz: Double = 48_000, toHz: Double = 48_000, delaySamples: Double = 0
    ) -> [Float] {
        let step = fromHz * compression / toHz  // input samples an output sample
        var resampler = Resampler(
            fromHz: fromHz * compression, toHz: toHz, startOffsetSamples: -delaySamples * step)
        return resampler.process(samples) + resampler.finish()
    }
}
