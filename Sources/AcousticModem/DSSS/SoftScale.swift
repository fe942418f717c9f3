import Signal

/// The scale that turns soft chips into log likelihood ratios, from the distance of the pilots' soft chips
/// from zero:
///
///     soft chip = μ x + noise of variance σ²,  x = ±1        LLR = 2 μ / σ² · soft chip
///
/// Every pilot is left out of its own channel estimate, so μ is that of a data chip, too, except for the gain
/// from the choice of a hypothesis by these very pilots. Looks that are decoded jointly share one scale: a
/// look alone gives its own scale too badly for a weight.
struct SoftScale {
    private var mean: Float = 0
    private var variance: Float = 0

    /// The least ratio of μ to σ that is used; a frame that decodes has 0.3 or more.
    private static let leastRatio: Float = 0.25

    /// - Parameters:
    ///   - soft: the soft chips of one look, `[segmentChipCount]`.
    ///   - pilots: ±1 for pilots, 0 for data chips.
    mutating func add(_ soft: [Float], pilots: [Int8]) {
        var (sum, pilotCount, energy): (Float, Float, Float) = (0, 0, 0)
        for chip in soft.indices {
            energy += soft[chip] * soft[chip]
            guard pilots[chip] != 0 else { continue }
            sum += soft[chip] * Float(pilots[chip])
            pilotCount += 1
        }
        let (mean, power) = (sum / pilotCount, energy / Float(soft.count))
        self.mean += mean
        variance += max(power - mean * mean, 0.1 * power)
    }

    /// The factor 2 μ / σ²; 0 in silence.
    var factor: Float {
        variance > 0 ? 2 * max(mean, SoftScale.leastRatio * variance.squareRoot()) / variance : 0
    }
}
