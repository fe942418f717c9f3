/// The levels of a transmission after a ``Channel``, by the definitions of this package's README.
public struct ChannelReport: Sendable, Hashable {
    /// The measurement of the first transmission, as in ``Arrival/onAir``.
    public let onAir: OnAirMeasurement
    /// The number of payload bits that share the energy of ``onAir``: ``Channel/bitCount``.
    public let bitCount: Int
    /// The noise level; `nil` if no noise was asked for.
    public let noise: NoiseLevel?
    /// The energy of direct and reverberant sound in this one room over the average of rooms: added to any of
    /// the ratios, it gives the ratio of this recording.
    public let roomGainDecibels: Double
}
