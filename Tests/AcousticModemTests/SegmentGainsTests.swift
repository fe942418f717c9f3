import ChannelSim
import Signal
import Testing

@testable import AcousticModem

/// Tests that gains computed from one start to the next equal those of each start by itself, in noise whose
/// level changes.
@Suite struct SegmentGainsTests {
    @Test(arguments: DSSSProfile.all + [.dsssWide]) func areThoseOfEachStart(profile: DSSSProfile) {
        let grid = SearchGrid(profile: profile)
        let burst = BurstGrid(plan: .frame(of: profile), grid: grid)
        let count = burst.spanSamples + grid.segmentSpanSamples + 4000
        var field = ClusterField(grid: grid, keptSamples: count, outerKeptSamples: nil)
        var noise = NoiseSource(seed: 8)
        let samples = (0..<count).map { i in
            let gain: Float = 1 + Float(i % 3000) / 1000
            return Complex(noise.next() * gain, noise.next() * gain)
        }
        field.append(samples[...])
        field.makeAll()
        let (bin, group) = (grid.coreBins.lowerBound, 0)
        var gains = SegmentGains(bin: bin, group: group)
        for position in stride(from: SamplePosition(10), to: 2000, by: 7) {
            gains.move(to: position, field, grid, burst)
            for segment in 0..<burst.plan.segmentCount {
                let start = position + burst.segmentOffset(bin: bin, group: group, segment: segment)
                let level = field.level(bin: bin, from: start, span: grid.segmentSpanSamples)
                #expect(gains.values[segment] == 1 / (level * Float(grid.clusterCount)))
            }
        }
    }
}
