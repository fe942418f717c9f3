import Glibc

/// One linear sweep of constant amplitude 1 with raised-cosine ramps, at any sample rate.
///
///     s(t) = w(t) sin 2π(f₀ t + ½ k t²),   k = 10 kHz/s,   0 ≤ t < 0.625 s
///
/// Reference: Müller, Massarani, *Transfer-Function Measurement with Sweeps*, JAES 49(6), 2001.
struct Sweep: Sendable {
    static let startHz = 15_750.0
    static let endHz = 22_000.0
    static let durationSeconds = 0.625
    /// The length of a ramp: 200 Hz of the sweep at either end.
    static let rampSeconds = 0.02

    static let hertzPerSecond = (endHz - startHz) / durationSeconds

    let sampleRateHz: Double

    var sampleCount: Int { Int(Sweep.durationSeconds * sampleRateHz) }

    /// Shape: `[sampleCount]`.
    var samples: [Float] {
        (0..<sampleCount).map { n in
            let t = Double(n) / sampleRateHz
            let cycles = Sweep.startHz * t + Sweep.hertzPerSecond * t * t / 2
            return Float(Sweep.envelope(t) * sin(2 * .pi * (cycles - cycles.rounded())))
        }
    }

    private static func envelope(_ t: Double) -> Double {
        let fromEdge = min(t, durationSeconds - t)
        guard fromEdge < rampSeconds else { return 1 }
        return 0.5 - 0.5 * cos(.pi * fromEdge / rampSeconds)
    }
}
