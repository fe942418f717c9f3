import AcousticModem
import Foundation
import TestSupport
import Testing

/// The tables in the modem's articles agree with the programs and fixtures that made them.
@Suite struct ReadmeTests {
    /// Returns the lines between `<!-- name -->` and `<!-- /name -->` of an article.
    private func block(_ name: String, of article: String) throws -> String {
        let path = Repository.path("Sources/AcousticModem/AcousticModem.docc/\(article).md")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let start = try #require(text.range(of: "<!-- \(name) -->\n"))
        let end = try #require(text.range(of: "<!-- /\(name) -->"))
        return String(text[start.upperBound..<end.lowerBound])
    }

    @Test func holdsTheTableOfWaveforms() throws {
        #expect(try block("profiles", of: "Waveforms") == Command().run("profiles").text)
    }

    /// As `Tools/bench/peers` left both.
    @Test func holdsTheTableOfPeers() throws {
        let path = Repository.path("Fixtures/curves/peers.md")
        let fixture = try String(contentsOfFile: path, encoding: .utf8)
        let table = try block("peers", of: "Peers")
        #expect(table.hasPrefix("`Tools/bench/peers") && table.contains(", commit "))
        #expect(fixture.hasSuffix("\n\n" + table))
    }
}

/// `WaveformProfile.thresholdDecibels` is what the committed curves say.
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
