/// The propagation of sound between two places. Gains are relative to the sound at 1 m from the speaker.
package struct Propagation: Sendable, Hashable {
    package var meters: Double
    /// The amplitude of the direct sound after distance, air and the walls between.
    package var directGain: Double
    /// The reverberation; `nil` in the open, and between inside and outside.
    package var reverberation: Reverberation?

    /// The amplitude of everything that arrives, if the powers of the parts add.
    package var gain: Double { (directGain * directGain + (reverberation?.energy ?? 0)).squareRoot() }

    /// The ratio of direct to reverberant energy; `nil` without reverberation.
    package var drrDecibels: Double? {
        reverberation.map { Decibels.ofPower(directGain * directGain / $0.energy) }
    }
}
