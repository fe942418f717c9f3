import Signal

/// A detector of blocks that stand out of the noise before them. It responds more readily than
/// ``StrengthMeter``. After digital silence, it takes every block to stand out.
struct Loudness: Sendable {
    /// The factor by which the remembered least power grows with each block: it doubles in 14 s.
    private static let rise: Float = 1.005

    /// The least recent power; `nil` until a block that is not silent.
    private var floor: Float?
    private var followsSilence = false
    private var hasBegun = false

    /// Returns true if the next block stands out.
    ///
    /// - Parameter power: the mean power of the block.
    mutating func isLoud(_ power: Float) -> Bool {
        guard power > Kernels.leastPower else {
            followsSilence = followsSilence || floor == nil
            return false
        }
        // The first block after silence may hold only the skirt of a filter: too little for a reference.
        if followsSilence, !hasBegun {
            hasBegun = true
            return true
        }
        let least = min(
            power / (floor == nil && followsSilence ? 2 * Thresholds.dsss.loudPowerRatio : 1),
            (floor ?? power) * Loudness.rise)
        floor = least
        return power > Thresholds.dsss.loudPowerRatio * least
    }
}
