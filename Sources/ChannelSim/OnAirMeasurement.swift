/// The energy and the time on air of a transmission, measured on its clean samples.
public struct OnAirMeasurement: Sendable, Hashable {
    /// The energy Σ x² of every sample, ramps and pilots included.
    public let energy: Double
    /// The time on air, without pauses between frames and silence at either end.
    public let durationSeconds: Double
    /// The mean power while on air.
    public let meanPower: Double

    private static let blockSeconds = 0.005
    /// The ratio to the loudest block under which a block is a pause.
    private static let pauseRatio = 1e-3

    /// Measures samples; `nil` if there is only silence.
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
