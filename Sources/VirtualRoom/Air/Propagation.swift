/// What becomes of sound between two places. Gains are over the sound 1 m from the speaker.
public struct Propagation: Sendable, Hashable {
    public var meters: Double
    /// Amplitude of the direct sound: distance, air and the walls between.
    public var directGain: Double
    /// Nil in the open, and between inside and outside.
    public var reverberation: Reverberation?

    /// Amplitude of all that arrives, if the parts' powers add.
    public var gain: Double { (directGain * directGain + (reverberation?.energy ?? 0)).squareRoot() }

    /// Direct over reverberant energy; nil without reverberation.
    public var drrDecibels: Double? {
        reverberation.map { Decibels.ofPower(directGain * directGain / $0.energy) }
    }
}
