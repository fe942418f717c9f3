import ChannelSim
import Glibc
import Testing

@Suite struct TransducerResponseTests {
    @Test(arguments: [-20.0, 6], [44_100.0, 48_000]) func tilts(tilt: Double, rateHz: Double) {
        let response = TransducerResponse(tiltDecibelsPerKilohertz: tilt)
        for hertz in [18_500.0, 19_000, 19_250, 19_700, 20_000] {
            #expect(abs(gain(response, hertz, rateHz) - tilt * (hertz - 19_250) / 1000) < 0.2, "\(hertz) Hz")
        }
        #expect(abs(gain(response, 1000, rateHz) + 1.25 * tilt) < 0.2)
    }

    /// A notch has its depth in the middle, half of it half its width away, and nothing three widths away.
    @Test(arguments: [100.0, 300]) func notches(widthHz: Double) {
        let response = TransducerResponse(notches: [
            .init(frequencyHz: 19_100, depthDecibels: 20, widthHz: widthHz)
        ])
        #expect(abs(gain(response, 19_100, 48_000) + 20) < 0.5)
        #expect(abs(gain(response, 19_100 + widthHz / 2, 48_000) + 10) < 0.5)
        #expect(abs(gain(response, 19_100 - 3 * widthHz, 48_000)) < 0.2)
    }

    @Test func withoutEitherNothingChanges() {
        let sent = tone(19_200, 48_000)
        let heard = TransducerResponse().apply(to: sent, sampleRateHz: 48_000)
        #expect(heard.count == sent.count)
        #expect(zip(sent, heard).allSatisfy { abs($0 - $1) < 1e-4 })
    }

    /// Returns the gain of a tone in decibels, away from its ends.
    private func gain(_ response: TransducerResponse, _ hertz: Double, _ rateHz: Double) -> Double {
        let sent = tone(hertz, rateHz)
        let heard = response.apply(to: sent, sampleRateHz: rateHz)
        let middle = 5000..<15_000
        let power = { (x: [Float]) in x[middle].reduce(0.0) { $0 + Double($1 * $1) } }
        return 10 * log10(power(heard) / power(sent))
    }

    private func tone(_ hertz: Double, _ rateHz: Double) -> [Float] {
        (0..<20_000).map { Float(cos(2 * .pi * hertz / rateHz * Double($0))) }
    }
}
