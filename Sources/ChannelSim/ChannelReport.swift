/// What a ``Channel`` made of a transmission, by the definitions of this package's README.
public struct ChannelReport: Sendable, Hashable {
    /// Of the transmission as it arrives on average over rooms; its energy is that of the direct sound alone would
    /// there be no room, since a room's mean energy is 1.
    public let onAir: OnAirMeasurement
    public let bitCount: Int
    /// Nil when no noise was asked for.
    public let noise: NoiseLevel?
    /// Energy of direct and reverberant sound in this one room over the average of rooms: add it to any of the ratios
    /// to get the one of this recording.
    public let roomGainDecibels: Double
}
