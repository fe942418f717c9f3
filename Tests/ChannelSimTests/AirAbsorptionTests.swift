import ChannelSim
import Testing

@Suite struct AirAbsorptionTests {
    /// The values are dB/km of ISO 9613-2:1996, table 2; its bands are the exact octaves 10³·2ᵏ, 7943 Hz
    /// called 8 kHz.
    @Test(arguments: [
        (10.0, 0.7, 3.7, 9.7, 32.8, 117.0), (20, 0.7, 5.0, 9.0, 22.9, 76.6), (30, 0.7, 7.4, 12.7, 23.1, 59.3),
        (15, 0.2, 8.2, 28.2, 88.8, 202), (15, 0.5, 4.2, 10.8, 36.2, 129), (15, 0.8, 4.1, 8.3, 23.7, 82.8),
    ])
    func isTheStandardsTable(
        celsius: Double, humidity: Double, at1k: Double, at2k: Double, at4k: Double, at8k: Double
    ) {
        let air = AirAbsorption(celsius: celsius, humidity: humidity)
        for (hertz, expected) in [(1000.0, at1k), (1995.26, at2k), (3981.07, at4k), (7943.28, at8k)] {
            let perKilometre = 1000 * air.decibelsPerMeter(frequencyHz: hertz)
            #expect(abs(perKilometre - expected) < 0.01 * expected + 0.05, "\(hertz) Hz")
        }
    }

    /// In rooms it is ½ dB a metre at the waveform's carrier.
    @Test func inTheBand() {
        #expect((0.4...0.7).contains(AirAbsorption().decibelsPerMeter(frequencyHz: 19_200)))
    }
}
