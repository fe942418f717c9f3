/// Where a segment's despread outputs stand: output m at chip time `firstChip + m · stepChips`.
struct ChipGrid {
    /// The centre of chip 0, baseband samples.
    let start: Double
    /// The sender's speed over the speed of sound, clock skew included.
    let timeScale: Double
    let firstChip: Int
    /// 1 or ½.
    let stepChips: Double
}
