/// What a device hears with.
public struct Microphone: Sendable, Hashable {
    /// Level of a sine whose peak is a sample of 1, in the band.
    public var fullScaleDecibelsSPL: Double
    /// Its own noise as sound would make it, dB SPL in a band of 1 Hz, white.
    public var noiseDecibelsSPLPerHertz: Double
    /// From the device's own loudspeaker.
    public var loudspeakerMeters: Double

    /// The defaults: a MEMS microphone of 120 dB SPL at full scale and 65 dB(A) of signal to noise at 94 dB SPL, which
    /// is −14 dB SPL in a hertz, and 4 dB less sensitive at 19 kHz than there.
    public init(
        fullScaleDecibelsSPL: Double = 120, noiseDecibelsSPLPerHertz: Double = -10,
        loudspeakerMeters: Double = 0.15
    ) {
        self.fullScaleDecibelsSPL = fullScaleDecibelsSPL
        self.noiseDecibelsSPLPerHertz = noiseDecibelsSPLPerHertz
        self.loudspeakerMeters = loudspeakerMeters
    }
}
