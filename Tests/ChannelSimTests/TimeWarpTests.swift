import ChannelSim
import Glibc
import Signal
import Testing

@Suite struct TimeWarpTests {
    /// A tone is heard at compression times its frequency, in the right phase from the right instant: within
    /// −70 dB of the ideal at every sample, so that the frequency is right to 10⁻⁴ Hz.
    @Test(arguments: [-1.5, -0.3, 0, 0.7, 1.5], [0.0, 0.25, 0.999])
    func tonesAreHeardWhereTheyShould(speed: Double, delay: Double) {
        let warp = TimeWarp(speedMetersPerSecond: speed, clockSkewPPM: 100)
        #expect(abs(warp.compression - (1 + speed / 343 + 1e-4)) < 1e-15)
        for toneHz in [300.0, 10_000, 18_500, 19_900] {
            let heard = warp.apply(to: tone(toneHz), delaySamples: delay)
            let expectedCount = Int(48_000 / warp.compression)
            #expect(abs(heard.count - expectedCount) <= 1)
            let worst = (100..<heard.count - 100).map { n in
                let t = warp.compression * (Double(n) - delay) / 48_000
                return abs(Double(heard[n]) - cos(2 * .pi * toneHz * t))
            }.max()!
            #expect(20 * log10(worst) < -70, "\(toneHz) Hz")
        }
    }

    @Test func convertsTheRateInTheSameStep() {
        let heard = TimeWarp(speedMetersPerSecond: 1).apply(to: tone(19_000), fromHz: 48_000, toHz: 44_100)
        let radiansPerSample: Double = 2 * .pi * 19_000 * (1 + 1 / 343) / 44_100
        let worst = (100..<heard.count - 100).map { n in
            abs(Double(heard[n]) - cos(radiansPerSample * Double(n)))
        }.max()!
        #expect(20 * log10(worst) < -70)
    }

    @Test func standingStillChangesNothing() {
        let x = tone(12_345)
        let y = TimeWarp(compression: 1).apply(to: x)
        #expect(x.count == y.count)
        #expect(zip(x, y).allSatisfy { abs($0 - $1) < 1e-5 })
    }

    private func tone(_ hz: Double) -> [Float] {
        (0..<48_000).map { Float(cos(2 * .pi * hz * Double($0) / 48_000)) }
    }
}
