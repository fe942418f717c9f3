/// What a device plays through.
///
/// Levels here and in ``Microphone`` are those of a sine whose peak is full scale; a token's envelope is constant, so
/// its level is the same.
public struct Loudspeaker: Sendable, Hashable {
    /// In the band, at 1 m before it: its first metre of air is in the figure.
    public var fullScaleDecibelsSPL: Double

    /// The default is what the project advises as the most at the nearest ear, put at 1 m.
    public init(fullScaleDecibelsSPL: Double = 60) { self.fullScaleDecibelsSPL = fullScaleDecibelsSPL }
}
