import Testing

@testable import AcousticModem

@Suite struct FrameDeduplicatorTests {
    private func claim(_ start: Double, lane: Int, score: Float = 10) -> FrameDeduplicator.Entry {
        FrameDeduplicator.Entry(start: start, lane: lane, evidence: 1, pilotScore: score, report: nil)
    }

    /// Frames that a combination claims report no token. They are therefore no views of one frame, and each
    /// lane keeps its own.
    @Test func claimsOfTwoLanesAreTwoFrames() {
        var deduplicator = FrameDeduplicator(neighbourhood: 100, rateHz: 2400)
        deduplicator.add(claim(1000, lane: 0))
        deduplicator.add(claim(1010, lane: 1))
        #expect(deduplicator.covers(start: 1005, score: 9, lane: 0))
        #expect(deduplicator.covers(start: 1005, score: 9, lane: 1))
        #expect(!deduplicator.covers(start: 1005, score: 9, lane: 2))
    }

    /// On one lane they are one frame.
    @Test func claimsOfOneLaneAreOneFrame() {
        var deduplicator = FrameDeduplicator(neighbourhood: 100, rateHz: 2400)
        deduplicator.add(claim(1000, lane: 0))
        deduplicator.add(claim(1090, lane: 0))
        #expect(!deduplicator.covers(start: 1150, score: 1, lane: 0))
    }
}
