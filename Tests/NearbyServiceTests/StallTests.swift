import Nearby
import Testing

@testable import NearbyService

/// Tests of the measured time for which a process and its store have stood still.
@Suite struct StallTests {
    private func at(_ seconds: Double) -> Instant { .start + .milliseconds(Int64(seconds * 1000)) }

    @Test func onlyLongGapsCount() {
        let watch = StallWatch(now: at(0))
        for n in 1...20 { #expect(watch.total(at: at(Double(n) * 0.5)) == .zero) }
        #expect(watch.total(at: at(11.4)) == .zero)
        // The last check was within half a second of the gap's beginning.
        #expect(watch.total(at: at(21.4)) == .milliseconds(9500))
        #expect(watch.total(at: at(21.5)) == .milliseconds(9500))
        // Several threads may report their time late.
        #expect(watch.total(at: at(21.4)) == .milliseconds(9500))
        #expect(watch.total(at: at(31.5)) == .milliseconds(19_000))
    }

    /// A slow commit counts while it lasts. The time in which the process itself stood still counts only
    /// once.
    @Test func aSlowCommitCounts() {
        var stall = StoreStall()
        stall.begin(at: at(0), stall: .zero)
        #expect(stall.total(at: at(0.9), stall: .zero) == .zero)
        #expect(stall.total(at: at(5), stall: .zero) == .seconds(4))
        stall.end(at: at(6), stall: .zero)
        #expect(stall.total(at: at(60), stall: .zero) == .seconds(5))
        stall.begin(at: at(60), stall: .zero)
        stall.end(at: at(80), stall: .seconds(18))
        #expect(stall.total(at: at(90), stall: .seconds(18)) == .seconds(6))
        for n in 90..<100 {
            stall.begin(at: at(Double(n)), stall: .seconds(18))
            stall.end(at: at(Double(n) + 0.5), stall: .seconds(18))
        }
        #expect(stall.total(at: at(100), stall: .seconds(18)) == .seconds(6))
    }
}
