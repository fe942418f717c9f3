import Signal
import Testing

@testable import AcousticModem

/// Tests of which frames a chain of repeats looks at, and in which order.
@Suite struct RepeatChainTests {
    private let period = 3480.0

    private func look(at start: Double, lane: Int = 0, score: Float = 9, timeScale: Double = 0) -> Look {
        Look(
            candidate: Candidate(
                start: start, timeScale: timeScale, lane: lane, score: score, profileIndex: 0, pilotEnergy: 9),
            segment: 0, chips: [])
    }

    private func chain(_ looks: [Look]) -> RepeatChain {
        RepeatChain(
            Trial(
                candidate: looks[0].candidate, looks: looks, pilotNats: 18, frameCount: looks.count),
            evidence: 12, periodSamples: period)
    }

    /// The periods of an approaching sender are shorter.
    @Test func repeatsStandAPeriodApart() {
        var chain = chain([
            look(at: 100_000, timeScale: 0.004), look(at: 100_000 + period / 1.004, timeScale: 0.004),
        ])
        var starts: [Double] = []
        while let start = chain.takeStart(reach: 3000, before: 200_000) { starts.append(start) }
        let places = [-1, -2, -3, 2, 3, 4].map { 100_000 + Double($0) * period / 1.004 }
        #expect(starts.count == places.count)
        for (start, place) in zip(starts, places) { #expect(abs(start - place) < 1e-6) }
        #expect(!chain.isOpen)
    }

    /// A frame is looked at once all of it has been heard.
    @Test func laterFramesAreWaitedFor() {
        var chain = chain([look(at: 100_000)])
        for _ in 0..<3 { #expect(chain.takeStart(reach: 3000, before: 103_000) != nil) }
        #expect(chain.takeStart(reach: 3000, before: 106_479) == nil)
        #expect(chain.takeStart(reach: 3000, before: 106_480) == 103_480)
        #expect(chain.isOpen)
    }

    /// Channels' views of a frame add up, and count as one frame; eight frames are enough.
    @Test func framesAreAddedUpToEight() {
        var chain = chain([look(at: 100_000), look(at: 103_480)])
        for count in 3...8 {
            #expect(chain.isOpen)
            chain.add([look(at: 90_000, score: 3), look(at: 90_000, score: -1)])
            #expect(chain.trial.frameCount == count)
        }
        #expect(!chain.isOpen && chain.trial.looks.count == 14)
        #expect(chain.trial.pilotNats == 18 + 6 * 2)
    }

    @Test func chainsOfOneSenderShareAFrame() {
        let first = chain([look(at: 100_000), look(at: 103_480)])
        #expect(first.shares(frameOf: chain([look(at: 103_470), look(at: 106_950)]), within: 200))
        #expect(!first.shares(frameOf: chain([look(at: 106_960)]), within: 200))
        #expect(!first.shares(frameOf: chain([look(at: 103_480, lane: 1)]), within: 200))
    }
}
