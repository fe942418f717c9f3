/// The sounds that are heard everywhere.
package struct Ambience: Sendable, Hashable {
    /// The room's noise at 19 kHz, in dB SPL in a band of 1 Hz. It is white, and independent at every
    /// microphone.
    package var noiseDecibelsSPLPerHertz: Double
    /// The rate of clicks such as keys, cutlery or cloth at the microphone. They are a Poisson process for
    /// each device.
    package var clicksPerSecond: Double
    /// The level of a click's first instant.
    package var clickDecibelsSPL: Double

    /// Makes an ambience. The default noise is a quiet room's, without the microphone's own noise.
    package init(
        noiseDecibelsSPLPerHertz: Double = -10, clicksPerSecond: Double = 0, clickDecibelsSPL: Double = 60
    ) {
        self.noiseDecibelsSPLPerHertz = noiseDecibelsSPLPerHertz
        (self.clicksPerSecond, self.clickDecibelsSPL) = (clicksPerSecond, clickDecibelsSPL)
    }
}
