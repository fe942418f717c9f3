/// The sound about a candidate, as its frame is read from it.
struct FSKSound: Sendable {
    let baseband: BasebandRing
    /// The gains that bring each tone to unit mean noise energy, at the candidate's Doppler. `[allToneCount]`
    let gains: [Float]
}
