import Nearby
import Testing

@testable import NearbyService

@Suite struct ReturnTurnTests {
    private func client(_ n: Int) -> ClientNetwork { ClientNetwork("10.\(n / 256).\(n % 256).1") }

    /// Devices of as many networks that come at once are told to come back over N / rate seconds.
    @Test func aStormIsSpread() {
        var turns = FairReturnTurns()
        let limit = Budget.Limit(perSecond: 50, atOnce: 100)
        let waits = (0..<5000).map {
            turns.take(after: .milliseconds(20), client($0), limit, now: .start) / .seconds(1)
        }
        #expect(waits == waits.sorted())
        #expect(abs(waits.last! - 100) < 0.1)
        // Each second has as many turns as the budget allows.
        let seconds = Dictionary(grouping: waits) { Int($0) }.mapValues(\.count)
        #expect(seconds.values.allSatisfy { $0 <= 51 })
    }

    /// The requests of one network, however many, delay those of others by that network's share alone.
    @Test func aNetworkDelaysItself() {
        var turns = FairReturnTurns()
        let limit = Budget.Limit(perSecond: 50, atOnce: 50_000)
        for _ in 0..<100_000 { _ = turns.take(after: .milliseconds(20), client(1), limit, now: .start) }
        let other = turns.take(after: .milliseconds(20), client(2), limit, now: .start)
        // Half of the budget is divided among 200 networks: 125 turns.
        #expect(other < .seconds(2.6))
        #expect(turns.take(after: .zero, client(1), limit, now: .start) == ReturnTurns.longest)
    }

    @Test func turnsPass() {
        var turns = ReturnTurns()
        for _ in 0..<10 { _ = turns.take(after: .seconds(1), rate: 1, now: .start) }
        #expect(turns.take(after: .seconds(1), rate: 1, now: .start) == .seconds(11))
        #expect(turns.take(after: .seconds(1), rate: 1, now: .start + .seconds(60)) == .seconds(1))
    }

    @Test func aFleetHasTimeToReturn() {
        let fleet = FleetSize()
        #expect(fleet.secondsToReturn(atRate: 1000) == 2)
        fleet.set(90_001)
        #expect(fleet.secondsToReturn(atRate: 1000) == 91)
        fleet.set(10_000_000)
        #expect(fleet.secondsToReturn(atRate: 1000) == 600)
    }
}
