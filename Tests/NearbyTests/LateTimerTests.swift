import Testing

@testable import Nearby

/// Tests whether a late alarm shows that a process stood still.
@Suite struct LateTimerTests {
    private func at(_ seconds: Int) -> Instant { .start + .seconds(seconds) }

    @Test func onlyWhatComesFarTooLateIsAStall() {
        var alarm = LateTimer()
        #expect(alarm.step(at: at(100)) == .zero)
        alarm.set(at(101))
        #expect(alarm.step(at: at(103)) == .zero)
        alarm.set(at(104))
        // Another event came first.
        #expect(alarm.step(at: at(500)) == .seconds(397))
        #expect(alarm.step(at: at(500)) == .zero)
        // Without an alarm nothing was due.
        alarm.set(nil)
        #expect(alarm.step(at: at(900)) == .zero)
    }
}
