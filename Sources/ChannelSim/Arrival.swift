import Glibc

/// A transmission as it arrives through a ``SoundPath``.
public struct Arrival: Sendable, Hashable {
    /// The sound that the microphone hears of it, at the rate asked for; longer than the transmission by the
    /// room's tail.
    public internal(set) var samples: [Float]
    /// The measurement of the transmission as it arrives on average over rooms. Its energy is that of the
    /// direct sound without a room, since a room's mean energy is 1.
    public let onAir: OnAirMeasurement
    /// The time from the beginning of `samples` to the direct sound.
    public internal(set) var directDelaySeconds = 0.0

    init(samples: [Float], onAir: OnAirMeasurement) {
        self.samples = samples
        self.onAir = onAir
    }

    /// The energy of direct and reverberant sound in this one room over the average of rooms.
    public var roomGainDecibels: Double {
        10 * log10(samples.reduce(0.0) { $0 + Double($1) * Double($1) } / onAir.energy)
    }
}
