import Signal

/// Motion and clock difference: a passband waveform heard faster or slower, exactly, not merely shifted in frequency.
///
///     y(t) = x(compression · (t − delay)),   compression = 1 + speed / 343 m/s + skew · 10⁻⁶
///
/// At 1.5 m/s that is 84 Hz at 19.2 kHz and 5 ms in a frame of 1.2 s. Positive speed approaches. Errors of the
/// interpolation are under −70 dB at 20 kHz in 48 kHz; `TimeWarpTests` holds it.
public struct TimeWarp: Sendable, Hashable {
    /// In air of some 20 °C; all of this library reckons with it.
    public static let speedOfSoundMetersPerSecond = 343.0

    /// How much faster it is heard than sent: over 1 it is shorter and higher. Positive.
    public var compression: Double

    /// As given; it must be positive.
    public init(compression: Double) { self.compression = compression }

    /// - Precondition: slower than sound.
    public init(speedMetersPerSecond: Double, clockSkewPPM: Double = 0) {
        precondition(
            speedMetersPerSecond.magnitude < TimeWarp.speedOfSoundMetersPerSecond,
            "motion is slower than sound")
        compression = 1 + speedMetersPerSecond / TimeWarp.speedOfSoundMetersPerSecond + clockSkewPPM * 1e-6
    }

    /// Shape: `[n]` at `fromHz` → `[≈ n toHz / fromHz / compression]` at `toHz`. There is silence after the end.
    ///
    /// - Parameter delaySamples: of the output, 0 ≤ delay < 1; draws the carrier's phase with it.
    public func apply(
        to samples: [Float], fromHz: Double = 48_000, toHz: Double = 48_000, delaySamples: Double = 0
    ) -> [Float] {
        let step = fromHz * compression / toHz  // input samples an output sample
        var resampler = Resampler(
            fromHz: fromHz * compression, toHz: toHz, startOffsetSamples: -delaySamples * step)
        return resampler.process(samples) + resampler.finish()
    }
}
