import ChannelSim
import Signal
import Testing

@testable import AcousticModem

/// Tests that a field that is made only where it is requested equals the one that is made as sound comes.
struct ClusterFieldTests {
    private static let pieceSamples = 240

    /// Returns a minute of noise, strong for some stretches, so that outer bins are held now and then.
    private static func baseband(_ random: inout SplitMix64) -> [Complex] {
        var noise = NoiseSource(seed: random.next())
        var gain: Float = 1
        return (0..<60 * 2400).map { i in
            if i % 1700 == 0 { gain = random.nextUnit() < 0.4 ? 6 : 1 }
            return Complex(noise.next() * gain, noise.next() * gain)
        }
    }

    private static func field(_ grid: SearchGrid, short: Bool, kept: Int) -> ClusterField {
        ClusterField(
            correlator: ClusterCorrelator(grid: grid, blocks: short ? .short : .long), grid: grid,
            keptSamples: kept, outerKeptSamples: kept, spareSamples: short ? 512 : nil)
    }

    @Test(arguments: DSSSProfile.all + [.dsssWide], [false, true])
    func whatIsAskedForIsWhatIsMadeAnyway(profile: DSSSProfile, short: Bool) {
        let grid = SearchGrid(profile: profile)
        let kept = grid.segmentSpanSamples + 3000
        var (asked, whole) = (
            Self.field(grid, short: short, kept: kept), Self.field(grid, short: short, kept: kept)
        )
        var random = SplitMix64(seed: 17)
        let samples = Self.baseband(&random)
        var compared = 0
        for first in stride(from: 0, to: samples.count, by: Self.pieceSamples) {
            let piece = samples[first..<first + Self.pieceSamples]
            asked.append(piece)
            whole.append(piece)
            whole.makeAll()
            let oldest = asked.end - grid.segmentSpanSamples - 2000
            if random.nextUnit() < 0.2, oldest > 0 {
                let start = oldest + Int(random.nextUnit() * 1500)
                let columns = start..<start + 1 + Int(random.nextUnit() * 400)
                asked.makeGates(columns)
                for bin in [grid.coreBins.lowerBound, grid.coreBins.upperBound - 1] {
                    asked.withBin(bin) { values, _ in
                        whole.withBin(bin) { all, _ in
                            let span = columns.lowerBound..<columns.upperBound + grid.segmentSpanSamples
                            let (one, other) = (values.from(span.lowerBound), all.from(span.lowerBound))
                            #expect(
                                (0..<span.count).allSatisfy {
                                    (one[$0] - other[$0]).power <= 1e-9 * (1 + other[$0].power)
                                })
                            compared += span.count
                        }
                    }
                }
            }
            if oldest > 0 {
                asked.drop(before: oldest, outer: oldest)
                whole.drop(before: oldest, outer: oldest)
            }
        }
        #expect(compared > 100_000)
    }
}
