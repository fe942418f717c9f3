/// What a transmission amounts to, measured on its clean samples: all its joules, and how long it is on air.
public struct OnAirMeasurement: Sendable, Hashable {
    /// Σ x² over every sample: ramps, pilots and all.
    public let energy: Double
    /// Pauses between frames, and silence at either end, left out.
    public let durationSeconds: Double
    /// While on air.
    public let meanPower: Double

    private static let blockSeconds = 0.005
    /// A block this far below the loudest is a pause.
    private static let pauseRatio = 1e-3

    /// Nil when there is nothing but silence.
    public init?(_ samples: [Float], sampleRateHz: Double) {
        let block = max(1, Int(OnAirMeasurement.blockSeconds * sampleRateHz))
        let energies = stride(from: 0, to: samples.count, by: block).map { first in
            samples[first..<min(first + block, samples.count)].reduce(0.0) { $0 + Double($1) * Double($1) }
        }
        let loudest = energies.max() ?? 0
        guard loudest > 0 else { return nil }
        let limit = loudest * OnAirMeasurement.pauseRatio
        let onAirCount = min(samples.count, block * energies.count { $0 > limit })
        energy = energies.reduce(0, +)
        durationSeconds = Double(onAirCount) / sampleRateHz
        meanPower = energy / Double(onAirCount)
    }
}
