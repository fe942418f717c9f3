import TestSupport
import Testing

@testable import AcousticModem

/// Tests of every recording of Fixtures/receive: only the sent token may be heard, once and in its place.
@Suite struct CorpusTests {
    @Test(arguments: ReceiveFixture.names)
    func nothingIsInventedOrMisplaced(name: String) throws {
        let fixture = try ReceiveFixture(named: name)
        let (sidecar, reports) = (fixture.sidecar, try Self.hearing(of: name))
        #expect(try Self.score(of: fixture, reports).false == 0, "\(reports)")
        guard sidecar.expect.outcome == .token else { return }
        let startSeconds = try #require(sidecar.expect.startSeconds)
        let tolerance = try #require(sidecar.expect.tolerance)
        for report in reports {
            #expect(abs(report.startSeconds - startSeconds) < tolerance)
            #expect(report.lane == sidecar.lane)
            let closingSpeed = sidecar.speedMetersPerSecond + sidecar.clockSkewPPM * 1e-6 * 343
            #expect(abs(Double(report.speedMetersPerSecond) - closingSpeed) < Self.speedTolerance)
        }
    }

    /// The tolerance in metres per second: half a carrier turn over the shortest frame is 0.02.
    private static let speedTolerance = 0.05

    /// A miss lowers the score and is not a bug by itself. The committed score may only rise.
    @Test func scoreIsAtLeastTheCommittedOne() throws {
        let threshold = try CorpusScore.threshold()
        var score = CorpusScore()
        var missed: [String] = []
        for name in ReceiveFixture.names {
            let fixture = try ReceiveFixture(named: name)
            let one = try Self.score(of: fixture, Self.hearing(of: name))
            score.heard += one.heard
            score.missed += one.missed
            score.false += one.false
            if one.missed > 0 { missed.append(name) }
        }
        #expect(score.heard >= threshold.heard, "\(score); missed: \(missed)")
        #expect(score.missed <= threshold.missed, "\(score); missed: \(missed)")
        #expect(score.false <= threshold.false, "\(score)")
    }

    @Test func corpusHasBothKinds() throws {
        let outcomes = try ReceiveFixture.names.map { try ReceiveFixture(named: $0).sidecar.expect.outcome }
        #expect(outcomes.contains(.token) && outcomes.contains(.nothing))
    }

    private static func hearing(of name: String) throws -> [DecodeReport] {
        try #require(hearings[name]).get()
    }

    /// The receiver's reports for each recording, computed once for all tests here.
    private static let hearings: [String: Result<[DecodeReport], any Error>] = Dictionary(
        uniqueKeysWithValues: ReceiveFixture.names.map { name in
            let reports = Result {
                let fixture = try ReceiveFixture(named: name)
                var receiver = Receiver()
                return receiver.process(fixture.samples) + receiver.finish()
            }
            return (name, reports)
        })

    /// Counts the first report of the sent token as a hearing, and any other report as false.
    private static func score(of fixture: ReceiveFixture, _ reports: [DecodeReport]) throws -> CorpusScore {
        guard fixture.sidecar.expect.outcome == .token else { return CorpusScore(false: reports.count) }
        let text = try #require(fixture.sidecar.token)
        let token = try #require([UInt8](hexadecimal: text))
        let isHeard = reports.contains { $0.token == token && $0.profile.name == fixture.sidecar.profile }
        return CorpusScore(
            heard: isHeard ? 1 : 0, missed: isHeard ? 0 : 1, false: reports.count - (isHeard ? 1 : 0))
    }
}
