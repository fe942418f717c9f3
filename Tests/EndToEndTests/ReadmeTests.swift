import AcousticModem
import Foundation
import TestSupport
import Testing

/// Tests that README is true.
@Suite struct ReadmeTests {
    private func readme() throws -> String {
        try String(contentsOfFile: Repository.path("README.md"), encoding: .utf8)
    }

    /// Returns the text between `<!-- name -->` and `<!-- /name -->`.
    private func block(_ name: String) throws -> String {
        let text = try readme()
        let start = try #require(text.range(of: "<!-- \(name) -->\n"))
        let end = try #require(text.range(of: "<!-- /\(name) -->"))
        return String(text[start.upperBound..<end.lowerBound])
    }

    @Test func holdsTheTableOfWaveforms() throws {
        #expect(try block("profiles", of: "Waveforms") == Command().run("profiles").text)
    }

    /// The README and the fixture agree; `Tools/bench/peers` writes both.
    @Test func holdsTheTableOfPeers() throws {
        let path = Repository.path("Fixtures/curves/peers.md")
        let fixture = try String(contentsOfFile: path, encoding: .utf8)
        let table = try block("peers", of: "Peers")
        #expect(table.hasPrefix("`Tools/bench/peers") && table.contains(", commit "))
        #expect(fixture.hasSuffix("\n\n" + table))
    }
}

/// Tests that `WaveformProfile.thresholdDecibels` agrees with the committed curves.
@Suite struct CurveFixtureTests {
    @Test(arguments: (WaveformProfile.nearby + [.dsssWide]).filter { $0.thresholdDecibels != nil })
    func thresholdIsTheCrossing(
        profile: WaveformProfile
    ) throws {
        let path = Repository.path("Fixtures/curves/\(profile.name)_awgn.csv")
        let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let points = rows.compactMap { row -> (ebN0: Double, success: Double, wrong: Double)? in
            let fields = row.split(separator: ",").map { Double($0) }
            guard fields.count >= 6, let ebN0 = fields[0], let wrong = fields[4], let success = fields[5]
            else { return nil }
            return (ebN0, success, wrong)
        }
        #expect(points.count >= 3)
        #expect(points.allSatisfy { $0.wrong == 0 })
        let pair = try #require(
            zip(points, points.dropFirst()).first { $0.success < 0.9 && $1.success >= 0.9 })
        let share = (0.9 - pair.0.success) / (pair.1.success - pair.0.success)
        let crossing = pair.0.ebN0 + share * (pair.1.ebN0 - pair.0.ebN0)
        #expect(abs(crossing - (try #require(profile.thresholdDecibels))) <= 0.05)
    }
}
