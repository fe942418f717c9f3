/// What is heard everywhere.
public struct Ambience: Sendable, Hashable {
    /// Of the room at 19 kHz, dB SPL in a band of 1 Hz; white, and another one at every microphone.
    public var noiseDecibelsSPLPerHertz: Double
    /// Keys, cutlery, cloth at the microphone: at random, a process of Poisson's for each device.
    public var clicksPerSecond: Double
    /// Of a click's first instant.
    public var clickDecibelsSPL: Double

    /// The default noise is a quiet room's with the microphone's own not yet in it.
    public init(
        noiseDecibelsSPLPerHertz: Double = -10, clicksPerSecond: Double = 0, clickDecibelsSPL: Double = 60
    ) {
        self.noiseDecibelsSPLPerHertz = noiseDecibelsSPLPerHertz
        (self.clicksPerSecond, self.clickDecibelsSPL) = (clicksPerSecond, clickDecibelsSPL)
    }
}
