/// The microphone of a device.
package struct Microphone: Sendable, Hashable {
    /// The level of a sine whose peak is a sample of 1, in the band.
    package var fullScaleDecibelsSPL: Double
    /// The microphone's own noise as an equivalent sound level, in dB SPL in a band of 1 Hz; it is white.
    package var noiseDecibelsSPLPerHertz: Double
    /// The distance from the device's own loudspeaker.
    package var loudspeakerMeters: Double

    /// Makes a microphone. By default it is a MEMS microphone with 120 dB SPL at full scale and a
    /// signal-to-noise ratio of 65 dB(A) at 94 dB SPL. Its noise is therefore −14 dB SPL in a hertz, and it
    /// is 4 dB less sensitive at 19 kHz than there.
    package init(
        fullScaleDecibelsSPL: Double = 120, noiseDecibelsSPLPerHertz: Double = -10,
        loudspeakerMeters: Double = 0.15
    ) {
        self.fullScaleDecibelsSPL = fullScaleDecibelsSPL
        self.noiseDecibelsSPLPerHertz = noiseDecibelsSPLPerHertz
        self.loudspeakerMeters = loudspeakerMeters
    }
}
