/// What a ``Channel`` made of a transmission, by the definitions of this package's README.
public struct ChannelReport: Sendable, Hashable {
    /// Of the first transmission, as ``Arrival/onAir``.
    public let onAir: OnAirMeasurement
    /// Payload bits that the energy of ``onAir`` is shared among: ``Channel/bitCount``.
    public let bitCount: Int
    /// Nil when no noise was asked for.
    public let noise: NoiseLevel?
    /// Energy of direct and reverberant sound in this one room over the average of rooms: add it to any of the ratios
    /// to get the one of this recording.
    public let roomGainDecibels: Double
}
