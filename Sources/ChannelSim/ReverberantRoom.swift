import Glibc
import Signal

/// A static room: the direct path and an exponentially decaying tail of Gaussian reflections.
///
///     h[0] = √(drr / (1 + drr)),   h[i] = √(1 / (1 + drr)) · g[i] e^{−i/τ} / norm,  e^{−2i/τ} −60 dB at RT60
///
/// The mean of the impulse response's energy over rooms is 1; a single room fades or gains, and that is part
/// of its effect on a link. Reference: Kuttruff, *Room Acoustics*, §5.1 (exponential decay of a diffuse
/// field).
public struct ReverberantRoom: Sendable {
    /// The direct sound first, then the tail for as long as RT60. `[max(2, rt60Seconds · sampleRateHz)]`
    public let impulseResponse: [Float]

    /// - Parameters:
    ///   - rt60Seconds: the time for reverberation to fall 60 dB.
    ///   - drrDecibels: the direct over the reverberant energy.
    public init(rt60Seconds: Double, drrDecibels: Double, sampleRateHz: Double, seed: UInt64) {
        let count = max(2, Int(rt60Seconds * sampleRateHz))
        let ratio = pow(10, drrDecibels / 10)
        let perSample = 3 * log(10.0) / (rt60Seconds * sampleRateHz)  // amplitude, nepers
        let energy = (1..<count).reduce(0.0) { $0 + exp(-2 * perSample * Double($1)) }
        let scale = (1 / (1 + ratio) / energy).squareRoot()
        var noise = NoiseSource(seed: seed)
        impulseResponse = (0..<count).map { i in
            i == 0
                ? Float((ratio / (1 + ratio)).squareRoot())
                : Float(scale * exp(-perSample * Double(i))) * noise.next()
        }
    }

    /// Shape: `[n]` → `[n + impulseResponse.count − 1]`.
    public func apply(to samples: [Float]) -> [Float] {
        Convolver(impulseResponse).convolve(samples)
    }
}
