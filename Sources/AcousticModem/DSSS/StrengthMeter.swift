import Signal

/// A detector, block by block, of signals that are strong against the noise before them, which earn a wider
/// search. Fast frames are sought only where they are strong, so that listening to noise costs nothing more.
struct StrengthMeter: Sendable {
    /// The factor by which the remembered least power grows with each block: it doubles in half a minute.
    private static let rise: Float = 1.005

    /// The least recent power; `nil` until a block that is not silent.
    private var floor: Float?

    mutating func isStrong(_ block: ArraySlice<Complex>) -> Bool {
        let power = Kernels.energy(block) / Float(max(block.count, 1))
        guard power > Kernels.leastPower else { return false }
        let least = min(power, (floor ?? power) * StrengthMeter.rise)
        floor = least
        return power > Thresholds.dsss.strongPowerRatio * least
    }
}
