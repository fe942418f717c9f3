import Glibc
import Testing

@testable import AcousticModem

@Suite struct PilotPatternTests {
    private static let patterns = [
        (PilotPattern.standard, 1474, -11.5, 3), (.quick, 638, -6.2, 2), (.far, 1474, -11.5, 3),
    ]

    /// The worst response to a wrong Doppler is bounded, from just beside the main lobe to the end of a
    /// cluster's own lobe.
    @Test(arguments: patterns) func wrongDopplersStayLow(
        pattern: PilotPattern, chipCount: Int, limitDecibels: Double, sidelobe: Int
    ) {
        var worst = 0.0
        for cycles in stride(from: 1.3, to: 1.2 * Double(chipCount) / Double(pattern.code.count), by: 0.2) {
            let x = .pi * cycles * Double(pattern.code.count) / Double(chipCount)
            let angles = pattern.starts.map { 2 * .pi * cycles * Double($0) / Double(chipCount) }
            let re = angles.reduce(0) { $0 + cos($1) }
            let im = angles.reduce(0) { $0 + sin($1) }
            worst = max(worst, (re * re + im * im).squareRoot() / Double(angles.count) * sin(x) / x)
        }
        #expect(20 * log10(worst) <= limitDecibels)
    }

    @Test(arguments: patterns) func clustersStandApartAndTheirCodeHasLowSidelobes(
        pattern: PilotPattern, chipCount: Int, limitDecibels: Double, sidelobe: Int
    ) {
        let code = pattern.code.map(Int.init)
        for lag in 1..<code.count {
            #expect(abs((0..<code.count - lag).reduce(0) { $0 + code[$1] * code[$1 + lag] }) <= sidelobe)
        }
        #expect(zip(pattern.starts, pattern.starts.dropFirst()).allSatisfy { $1 - $0 >= code.count })
        #expect(pattern.starts.last! + code.count == chipCount)
        #expect(pattern.clusterCount % PilotPattern.groupCount == 0)
        #expect(pattern.signs.count == pattern.clusterCount)
    }

    /// The other pattern's clusters add up to a bounded share of a frame's own sum, at any Doppler and lane.
    @Test func signsTellStandardFromFar() {
        let (standard, far) = (PilotPattern.standard, PilotPattern.far)
        #expect(standard.sharesClusters(with: far) && !standard.sharesClusters(with: .quick))
        let chipCount = 1474.0
        var greatest = 0.0
        for lane in PilotPattern.lanePatterns {
            let signs = standard.starts.indices.map {
                Double(standard.signs[$0] * far.signs[$0] * lane[standard.group(ofCluster: $0)])
            }
            for cycles in stride(from: -75.0, through: 75, by: 0.25) {
                let x = .pi * cycles * Double(standard.code.count) / chipCount
                let angles = standard.starts.map { 2 * .pi * cycles * Double($0) / chipCount }
                let re = zip(signs, angles).reduce(0) { $0 + $1.0 * cos($1.1) }
                let im = zip(signs, angles).reduce(0) { $0 + $1.0 * sin($1.1) }
                let envelope = x == 0 ? 1 : sin(x) / x
                greatest = max(greatest, (re * re + im * im) * envelope * envelope)
            }
        }
        let count = Double(standard.clusterCount)
        #expect(greatest / (count * count) < 0.152)
    }

    @Test func lanesDifferInEverySegment() {
        for segment in 0..<4 {
            let patterns = (0..<PilotPattern.laneCount).map {
                PilotPattern.pattern(lane: $0, segment: segment)
            }
            #expect(Set(patterns).count == PilotPattern.laneCount)
        }
    }
}
