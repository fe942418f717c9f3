import Signal

/// The distortion of a speaker that is played loud: its cone is held back the more, the farther it moves.
///
///     y = x − a x³ / p²,  p the peak of x        of a tone at the peak: a third harmonic of a / (4 − 3a)
///
/// It acts on the transmission before its level is measured.
public struct SpeakerDistortion: Sendable, Hashable {
    /// The third harmonic of a tone at the peak, in percent of the tone; 0 to 10.
    public var percent = 0.0

    /// Creates a distortion, none by default.
    public init(percent: Double = 0) { self.percent = percent }

    /// Returns the distorted samples. Shape: `[n]` → `[n]`.
    public func apply(to samples: [Float]) -> [Float] {
        guard percent > 0 else { return samples }
        let peak = samples.withUnsafeBufferPointer { Kernels.largestMagnitude($0) }
        guard peak > 0 else { return samples }
        let share = percent / 100
        let cubic = Float(4 * share / (1 + 3 * share)) / (peak * peak)
        return samples.map { x in x * (1 - cubic * x * x) }
    }
}
