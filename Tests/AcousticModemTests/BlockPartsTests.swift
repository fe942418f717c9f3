import ChannelSim
import Signal
import Testing

@testable import AcousticModem

/// Tests of the noise that a hypothesis is compared with if the sound gets louder or quieter.
@Suite struct BlockPartsTests {
    private static let grid = SearchGrid(profile: .dsssQuick)

    /// Returns a field of noise whose power is `power(sample)`.
    private static func field(
        _ count: Int, seed: UInt64, followsSteps: Bool = true, power: (_ sample: Int) -> Float
    ) -> ClusterField {
        var field = ClusterField(grid: grid, keptSamples: count, outerKeptSamples: nil)
        field.followsSteps = followsSteps
        var noise = NoiseSource(seed: seed)
        let samples = (0..<count).map { i in
            let gain = power(i).squareRoot()
            return Complex(noise.next() * gain, noise.next() * gain)
        }
        field.append(samples[...])
        field.makeAll()
        return field
    }

    /// The noise has one level for a minute, and a frame's time begins every tenth of a second.
    @Test func noiseOfOneLevelHasNoSteps() {
        let field = Self.field(60 * 2400, seed: 3) { _ in 1 }
        for start in stride(from: 0, to: field.gateEnd, by: 240) {
            #expect(!field.hasSteps(from: start, span: Self.grid.segmentSpanSamples))
        }
    }

    /// A strong frame makes the sound 20 dB louder for 0.4 s. If the sound was steady before, its blocks keep
    /// one level each.
    @Test(arguments: [true, false]) func stepsAreFollowedWhereAsked(followsSteps: Bool) {
        let field = Self.field(4800, seed: 5, followsSteps: followsSteps) {
            2000..<2960 ~= $0 ? 1 : 0.01
        }
        #expect(field.hasSteps(from: 1500, span: Self.grid.segmentSpanSamples) == followsSteps)
    }

    /// Noise gets 20 dB louder at one sample, in forty places of a block. Over 40 draws of 6 clusters of 50
    /// degrees of freedom each the mean is known to 1 %, and a part that contains the step blurs it by less
    /// than a tenth.
    @Test func theLevelIsThatOfTheClusters() {
        let (grid, bin) = (Self.grid, Self.grid.coreBins.lowerBound)
        var ratios: Float = 0
        for trial in 0..<40 {
            let step = 2400 + 12 * trial
            let field = Self.field(6000, seed: UInt64(trial)) { $0 < step ? 0.01 : 1 }
            // The last clusters are in the loud part.
            let start = SamplePosition(step - grid.segmentSpanSamples / 2)
            let level = field.level(bin: bin, from: start, span: grid.segmentSpanSamples)
            let loud = grid.withGateOffsets(bin: bin) { offsets in
                offsets.count { start + $0 + grid.templateCount / 2 >= SamplePosition(step) }
            }
            let quietest = field.level(bin: bin, from: 1200, span: 200)
            let loudest = field.level(bin: bin, from: 3600, span: 200)
            let expected = (Float(loud) * loudest + Float(6 - loud) * quietest) / 6
            ratios += level / expected / 40
        }
        #expect(abs(ratios - 1) < 0.12)
    }
}
