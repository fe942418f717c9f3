import Glibc
import Signal
import Testing

@testable import VirtualRoom

@Suite struct FractionalDelayTests {
    /// The error for tones of the band, at any places between two samples, is within −50 dB, and within −60
    /// dB where tokens are.
    @Test(arguments: [-3200.0, -2000, -700, 0, 800, 2000, 3200]) func readsBetweenSamples(offsetHz: Double) {
        let tone = (0..<400).map { Band.turn(delaySeconds: -Double($0) * offsetHz / 12_000 / Band.carrierHz) }
        var out = [Complex](repeating: .zero, count: 300)
        tone.withUnsafeBufferPointer {
            FractionalDelay.shared.add(
                $0.baseAddress! + 60, delays: (40.3, 12.9), gains: (1, 1), cycles: (0, 0), count: 300,
                to: &out)
        }
        var error = 0.0
        for (m, value) in out.enumerated() {
            let place = 60 + Double(m) - (40.3 + (12.9 - 40.3) * Double(m) / 300)
            let exact = Band.turn(delaySeconds: -place * offsetHz / 12_000 / Band.carrierHz)
            error += Double((value - exact).power) / 300
        }
        #expect(decibels(error) < (abs(offsetHz) <= 800 ? -60 : -48))
    }
}
