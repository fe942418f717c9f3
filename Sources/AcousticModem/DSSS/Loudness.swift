import Signal

/// Tells what stands out of the noise before it, block by block. More readily than ``StrengthMeter``; and after digital
/// silence, all is taken to stand out.
struct Loudness: Sendable {
    /// How the least is forgotten, block by block: by half in 14 s.
    private static let rise: Float = 1.005

    /// The least power of late; nil before anything but silence.
    private var floor: Float?
    private var followsSilence = false
    private var hasBegun = false

    /// - Parameter power: the next block's mean.
    mutating func isLoud(_ power: Float) -> Bool {
        guard power > Kernels.leastPower else {
            followsSilence = followsSilence || floor == nil
            return false
        }
        // The first block after silence may hold the skirt of a filter only: too little to go by.
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
