/// The chip times of a segment's despread outputs: output m stands at `firstChip + m · stepChips`.
struct ChipGrid {
    /// The centre of chip 0, in baseband samples.
    let start: Double
    /// The sender's speed over the speed of sound, clock skew included.
    let timeScale: Double
    let firstChip: Int
    /// 1 or ½.
    let stepChips: Double
}
