import Glibc
import Testing
import VirtualRoom

/// Tests of direct sound against formulas: 60 dB SPL at 1 m into a microphone of 120 dB SPL is 10⁻³ there.
@Suite struct FreeFieldTests {
    /// The level falls by 1 / r and the air's decibels: by ISO 9613-1 at 20 °C and 50 %, 0.48 dB/m at 19 kHz
    /// to 0.01. Over the band the filters ripple by less than 0.02 dB.
    @Test(arguments: [1.0, 2, 5, 20], [17_000.0, 19_200, 21_500])
    func levelFallsWithDistance(meters: Double, frequencyHz: Double) {
        let tone = Tone(frequencyHz: frequencyHz)
        let heard = AirRun([.zero, [meters, 0, 0]]).heard(tone.samples(seconds: 0.5), seconds: 0.5)[1]
        let amplitude = tone.measured(heard, from: 9600, count: 9600).amplitude
        let expected = -60 - 20 * log10(meters) - 0.486 * (meters - 1)
        #expect(abs(20 * log10(amplitude) - expected) < 0.03 + 0.01 * meters)
    }

    /// The delay is measured by the phase of tones, to 0.03 radians, which at 19.2 kHz is 0.1 mm of path.
    @Test(arguments: [0.5, 1.234, 3, 17.77], [17_000.0, 18_500, 19_200, 20_000, 21_500])
    func soundTakesItsTime(meters: Double, frequencyHz: Double) {
        let tone = Tone(frequencyHz: frequencyHz)
        let heard = AirRun([.zero, [0, meters, 0]]).heard(tone.samples(seconds: 0.5), seconds: 0.5)[1]
        let phase = tone.measured(heard, from: 9600, count: 9600).phase
        let cycles = frequencyHz * (meters / 343 + Air.latencySeconds)
        let error = (phase / (2 * .pi) + cycles).remainder(dividingBy: 1) * 2 * .pi
        #expect(abs(error) < 0.03)
    }

    /// Before the arrival there is nothing, and after it the tone at once. This determines the whole number
    /// of turns of the phase.
    @Test func nothingComesEarly() {
        let tone = Tone(frequencyHz: 19_200)
        let heard = AirRun([.zero, [34.3, 0, 0]]).heard(tone.samples(seconds: 0.3), seconds: 0.5)[1]
        let arrival = Int((0.1 + Air.latencySeconds) * 48_000)
        let amplitude = tone.measured(heard, from: arrival + 4800, count: 4800).amplitude
        #expect(heard[..<(arrival - 80)].allSatisfy { Double(abs($0)) < 1e-3 * amplitude })
        #expect(energy(heard[arrival + 80..<arrival + 800]) > 0.9 * 720 * amplitude * amplitude / 2)
    }

    /// The device's own loudspeaker is 0.15 m away: +16.5 dB over 1 m, and 0.4 dB of air not yet crossed.
    @Test func aDeviceHearsItself() {
        let tone = Tone(frequencyHz: 19_200)
        let heard = AirRun([.zero]).heard(tone.samples(seconds: 0.5), seconds: 0.5)[0]
        let amplitude = tone.measured(heard, from: 9600, count: 9600).amplitude
        #expect(abs(20 * log10(amplitude) - (-60 + 16.48 + 0.41)) < 0.05)
    }

    /// Nothing passes beyond the band: a device's speech is not heard.
    @Test(arguments: [1000.0, 8000, 12_000]) func theBandAloneIsCarried(frequencyHz: Double) {
        let tone = Tone(frequencyHz: frequencyHz)
        let heard = AirRun([.zero, [1, 0, 0]]).heard(tone.samples(seconds: 0.5), seconds: 0.5)[1]
        #expect(decibels(energy(heard[9600..<19_200]) / 4800) < -60 - 60)
    }
}
