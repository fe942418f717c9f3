/// What makes log likelihood ratios of soft chips, from how far the pilots' stand from zero:
///
///     soft chip = μ x + noise of variance σ²,  x = ±1        LLR = 2 μ / σ² · soft chip
///
/// Every pilot is left out of its own channel estimate, so that μ is a data chip's, too; but for what the choice of a
/// hypothesis by these very pilots adds. Looks that are decoded as one share one scale: each by itself tells its own too
/// badly to be weighed by it.
struct SoftScale {
    private var mean: Float = 0
    private var variance: Float = 0

    /// μ is taken as this many σ at least: a frame that decodes has 0.3 and more.
    private static let leastRatio: Float = 0.25

    /// - Parameters:
    ///   - soft: of one look, `[segmentChipCount]`.
    ///   - pilots: ±1, 0 at data chips.
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

    /// 2 μ / σ²; 0 in silence.
    var factor: Float {
        variance > 0 ? 2 * max(mean, SoftScale.leastRatio * variance.squareRoot()) / variance : 0
    }
}
