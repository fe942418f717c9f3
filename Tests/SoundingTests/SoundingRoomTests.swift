import ChannelSim
import Glibc
import Testing

@testable import Sounding

/// Tests of a room's effects.
@Suite struct SoundingRoomTests {
    /// The results are compared with the request: in a band of 1.5 kHz, single rooms themselves differ from
    /// that. Echoes as strong as −6 dB add to the direct path or take from it within its own millisecond.
    @Test(arguments: [(0.3, 0.0), (0.3, -6), (0.6, 0), (0.6, -6), (0.6, 6), (1.0, 0)])
    func reverberationIsMeasured(rt60: Double, drr: Double) throws {
        var worst = (rt60: 0.0, drr: 0.0, spread: 0.0)
        for seed in 1...6 as ClosedRange<UInt64> {
            var room = SoundedRoom()
            room.noiseDBFS = -75
            room.path.room = .diffuse(rt60Seconds: rt60, drrDecibels: drr)
            let report = try room.report(seed: seed)
            worst.rt60 = max(worst.rt60, abs(try #require(report.rt60Seconds) / rt60 - 1))
            worst.drr = max(worst.drr, abs(try #require(report.directToReverberantDecibels) - drr))
            // An exponential tail of share w and time constant τ has σ = τ √(2w − w²).
            let w = 1 / (1 + pow(10, drr / 10))
            let spread = rt60 / (6 * log(10)) * (2 * w - w * w).squareRoot()
            worst.spread = max(worst.spread, abs(report.delaySpreadSeconds / spread - 1))
        }
        #expect(worst.rt60 < 0.25 && worst.drr < (drr < 0 ? 2.5 : 2) && worst.spread < 0.25)
    }

    /// The noise leaves little of the decay. The result is still near, or missing.
    @Test(arguments: [-55.0, -50, -45, -40]) func reverberationInNoise(noiseDBFS: Double) throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var room = SoundedRoom()
            room.noiseDBFS = noiseDBFS
            room.path.room = .diffuse(rt60Seconds: 0.4, drrDecibels: 0)
            let report = try room.report(seed: seed)
            if let rt60 = report.rt60Seconds { #expect(abs(rt60 / 0.4 - 1) < 0.4) }
            if let drr = report.directToReverberantDecibels { #expect(abs(drr) < 3) }
        }
    }

    @Test(arguments: [-200.0, -100, -37, 0, 12, 100, 200]) func theClockIsMeasured(skewPPM: Double) throws {
        var worst = 0.0
        for (noise, rt60) in [(-80.0, 0.0), (-45, 0), (-70, 0.6)] {
            var room = SoundedRoom()
            room.noiseDBFS = noise
            room.path.clockSkewPPM = skewPPM
            if rt60 > 0 { room.path.room = .diffuse(rt60Seconds: rt60, drrDecibels: -6) }
            worst = max(worst, abs(try room.report().clockSkewPPM - skewPPM))
        }
        #expect(worst < 10)
    }
}
