import Testing

@testable import AcousticModem

@Suite struct FrameLedgerTests {
    private func claim(_ start: Double, lane: Int, score: Float = 10) -> FrameLedger.Entry {
        FrameLedger.Entry(start: start, lane: lane, evidence: 1, pilotScore: score, report: nil)
    }

    /// Frames that a combination claims report no token, which makes them no views of one frame: each lane keeps its own.
    @Test func claimsOfTwoLanesAreTwoFrames() {
        var ledger = FrameLedger(neighbourhood: 100, rateHz: 2400)
        ledger.add(claim(1000, lane: 0))
        ledger.add(claim(1010, lane: 1))
        #expect(ledger.covers(start: 1005, score: 9, lane: 0))
        #expect(ledger.covers(start: 1005, score: 9, lane: 1))
        #expect(!ledger.covers(start: 1005, score: 9, lane: 2))
    }

    /// On one lane they are.
    @Test func claimsOfOneLaneAreOneFrame() {
        var ledger = FrameLedger(neighbourhood: 100, rateHz: 2400)
        ledger.add(claim(1000, lane: 0))
        ledger.add(claim(1090, lane: 0))
        #expect(!ledger.covers(start: 1150, score: 1, lane: 0))
    }
}
