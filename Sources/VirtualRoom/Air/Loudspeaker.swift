/// The loudspeaker of a device.
///
/// Levels here and in ``Microphone`` are those of a sine whose peak is full scale. A token's envelope is
/// constant, so that its level is the same.
package struct Loudspeaker: Sendable, Hashable {
    /// The level in the band, at 1 m in front of it. It includes the loss of the first metre of air.
    package var fullScaleDecibelsSPL: Double

    /// Makes a loudspeaker. By default its level at 1 m is the highest one that the project advises at the
    /// nearest ear.
    package init(fullScaleDecibelsSPL: Double = 60) { self.fullScaleDecibelsSPL = fullScaleDecibelsSPL }
}
