import Glibc

/// The absorption of sound in air, at one atmosphere. Reference: ISO 9613-1:1993, equations 3 to 6 and B.1 to
/// B.3.
public struct AirAbsorption: Sendable, Hashable {
    /// The air's temperature.
    public var celsius: Double
    /// The relative humidity, 0 to 1.
    public var humidity: Double

    /// Creates the absorption of an air; by default a room's: 20 °C, 50 % humidity.
    public init(celsius: Double = 20, humidity: Double = 0.5) {
        self.celsius = celsius
        self.humidity = humidity
    }

    /// Returns the absorption, within 1 % of ISO 9613-2's table 2; `AirAbsorptionTests` checks that.
    public func decibelsPerMeter(frequencyHz f: Double) -> Double {
        let kelvin = celsius + 273.15
        let t = kelvin / 293.15
        // This is the molar share of water in %.
        let saturation = pow(10, -6.8346 * pow(273.16 / kelvin, 1.261) + 4.6151)
        let h = 100 * humidity * saturation
        let oxygenHz = 24 + 4.04e4 * h * (0.02 + h) / (0.391 + h)
        let nitrogenHz = pow(t, -0.5) * (9 + 280 * h * exp(-4.170 * (pow(t, -1.0 / 3) - 1)))
        let classical = 1.84e-11 * t.squareRoot()
        let oxygen = 0.01275 * exp(-2239.1 / kelvin) / (oxygenHz + f * f / oxygenHz)
        let nitrogen = 0.1068 * exp(-3352 / kelvin) / (nitrogenHz + f * f / nitrogenHz)
        return 20 * log10(M_E) * f * f * (classical + pow(t, -2.5) * (oxygen + nitrogen))
    }
}
