import Signal

/// Tells a strong signal from the noise before it, block by block: what earns a wider search. Fast frames are only
/// sought where they are strong, so that listening to noise costs nothing more.
struct StrengthMeter: Sendable {
    /// How the least is forgotten, block by block: by half in half a minute.
    private static let rise: Float = 1.005

    /// The least power of late; nil before anything but silence.
    private var floor: Float?

    mutating func isStrong(_ block: ArraySlice<Complex>) -> Bool {
        let power = Kernels.energy(block) / Float(max(block.count, 1))
        guard power > Kernels.leastPower else { return false }
        let least = min(power, (floor ?? power) * StrengthMeter.rise)
        floor = least
        return power > Thresholds.dsss.strongPowerRatio * least
    }
}
