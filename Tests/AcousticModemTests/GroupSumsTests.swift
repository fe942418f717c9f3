import Signal
import Testing

@testable import AcousticModem

/// Tests of the compiled group sums against the definition.
@Suite struct GroupSumsTests {
    @Test(arguments: DSSSProfile.all + [.dsssWide]) func matchTheDefinition(profile: DSSSProfile) {
        let grid = SearchGrid(profile: profile)
        var random = SplitMix64(seed: 3)
        let values = (0...grid.segmentSpanSamples + 1).map { _ in
            Complex(Float(random.nextUnit()) - 0.5, Float(random.nextUnit()) - 0.5)
        }
        let (bin, group, shift) = (1, grid.groupsPerBin - 1, 3)
        var rows = [Float](repeating: 1, count: GroupSums.rowCount * 8)
        GroupSums.addPowers(
            values, grid, bin: bin, group: group, shift: shift, gain: 0.5, to: &rows, stride: 8)
        let perThird = grid.clusterCount / 3
        for fine in 0..<8 {
            let thirds = grid.withGroup(bin: bin, group: group) { offsets, rotations in
                (0..<3).map { third in
                    (third * perThird..<(third + 1) * perThird).reduce(Complex.zero) {
                        $0 + values[offsets[$1]]
                            * Complex(rotations[16 * $1 + fine], rotations[16 * $1 + 8 + fine])
                    }
                }
            }
            for lane in 0..<PilotPattern.laneCount {
                let pattern = PilotPattern.pattern(lane: lane, segment: shift)
                let signs = PilotPattern.lanePatterns[pattern].map(Float.init)
                let sum = zip(thirds, signs).reduce(Complex.zero) { $0 + $1.0 * $1.1 }
                #expect(abs(rows[lane * 8 + fine] - 1 - 0.5 * sum.power) < 1e-4)
                // There are two starts, two rows apart.
                var both = [SIMD8<Float>](repeating: .zero, count: 4)
                [0, 1].withUnsafeBufferPointer {
                    GroupSums.addPowers(
                        values, starts: $0, grid, bin: bin, group: group, pattern: pattern, gain: 0.5,
                        to: &both, stride: 2)
                }
                #expect(abs(both[0][fine] - 0.5 * sum.power) < 1e-4)
                #expect(both[1] == .zero)
                var moved = [SIMD8<Float>.zero]
                values.withUnsafeBufferPointer { values in
                    [0].withUnsafeBufferPointer {
                        GroupSums.addPowers(
                            values.baseAddress! + 1, starts: $0, grid, bin: bin, group: group,
                            pattern: pattern, gain: 0.5, to: &moved, stride: 1)
                    }
                }
                #expect(moved[0] == both[2])
            }
            let incoherent = thirds.reduce(0) { $0 + $1.power }
            #expect(abs(rows[PilotPattern.laneCount * 8 + fine] - 1 - 0.5 * incoherent) < 1e-4)
        }
    }

    /// A burst's segments, and single frames' repeats, are added up over all groups.
    @Test(arguments: DSSSProfile.all + [.dsssWide]) func peaksAreTheGreatestSums(profile: DSSSProfile) {
        let grid = SearchGrid(profile: profile)
        let plans =
            [BurstPlan.frame(of: profile)] + (profile.segmentCount > 1 ? [] : [.repeats(2, of: profile)])
        for burst in plans.map({ BurstGrid(plan: $0, grid: grid) }) {
            var random = SplitMix64(seed: 4)
            let values = (0...burst.spanSamples + grid.segmentSpanSamples).map { _ in
                Complex(Float(random.nextUnit()) - 0.5, Float(random.nextUnit()) - 0.5)
            }
            let (bin, segments) = (grid.coreBins.lowerBound, burst.plan.segmentCount)
            let gains = InlineArray<4, Float> { [1, 0.5, 2, 0.25][$0] }
            var greatest = [Float](repeating: 0, count: GroupSums.rowCount)
            for group in 0..<grid.groupsPerBin {
                var rows = [Float](repeating: 0, count: GroupSums.rowCount * 8)
                for segment in 0..<segments {
                    let offset = burst.segmentOffset(bin: bin, group: group, segment: segment)
                    values.withUnsafeBufferPointer {
                        GroupSums.addPowers(
                            $0.baseAddress! + offset, grid, bin: bin, group: group,
                            shift: burst.plan.layoutIndex(segment: segment), gain: gains[segment], to: &rows,
                            stride: 8)
                    }
                }
                for row in greatest.indices {
                    greatest[row] = max(greatest[row], rows[row * 8..<row * 8 + 8].max()!)
                }
            }
            let peaks = GroupSums.withCells(grid, burst, bin: bin, groups: 0..<grid.groupsPerBin) { sums in
                values.withUnsafeBufferPointer { sums.peaks($0.baseAddress!, gains) }
            }
            for row in greatest.indices { #expect(abs(peaks[row] - greatest[row]) < 1e-4 * greatest[row]) }
        }
    }
}
