import Nearby
import Testing

@testable import NearbyService

@Suite struct AdmissionTests {
    private func client(_ n: Int) -> ClientNetwork { ClientNetwork("10.\(n / 256).\(n % 256).1") }

    /// Returns how many of each rank are admitted when all come for `seconds`, 2000 a second of each rank.
    private func admitted(_ ranks: [Admission.Rank], seconds: Int) -> [Admission.Rank: Int] {
        let admission = Admission(rate: 1000)
        var counts: [Admission.Rank: Int] = [:]
        for step in 0..<(2000 * seconds) {
            for rank in ranks {
                let now = Instant.start + .microseconds(500 * step)
                let wait = admission.admit(.streams, rank, from: client(step % 5000), now: now)
                if wait == nil { counts[rank, default: 0] += 1 }
            }
        }
        return counts
    }

    /// While new and idle devices come at twice the rate, whoever has something nearby is served first, as
    /// far as the rate goes. After the first seconds, the others get what is left.
    @Test func ranksGoInOrder() {
        let all = admitted([.idle, .new, .live], seconds: 20)
        // 5000 at once and 20 000 in 20 s.
        #expect((24_000...25_100).contains(all.values.reduce(0, +)), "\(all)")
        #expect(all[.live]! > 18_000 && all[.idle]! < 3000, "\(all)")
        let others = admitted([.idle, .new], seconds: 20)
        #expect(others[.new]! > 18_000 && others[.idle]! > 500, "\(others)")
    }

    /// Those that wait are spread over the time that serving them takes; a live device waits for no turn.
    @Test func waitsGrow() {
        let admission = Admission(rate: 1000)
        let waits = (0..<20_000).compactMap {
            admission.admit(.reports, .idle, from: client($0), now: .start)
        }
        #expect((15_000...16_500).contains(waits.count))
        #expect(waits == waits.sorted() && waits.last! > .seconds(14) && waits.last! < .seconds(19))
        #expect(admission.admit(.reports, .live, from: client(1), now: .start) == nil)
        #expect(admission.refused[.init(kind: .reports, rank: .idle)] == waits.count)
    }

    /// One network at full speed uses up half of the budget, and leaves the other half to others.
    @Test func aNetworkDelaysItself() {
        let admission = Admission(rate: 1000)
        for _ in 0..<100_000 { _ = admission.admit(.connections, .idle, from: client(1), now: .start) }
        #expect(admission.admit(.connections, .idle, from: client(1), now: .start) != nil)
        #expect(admission.admit(.connections, .idle, from: client(2), now: .start) == nil)
    }

    /// A thousand devices that come at once are not delayed.
    @Test(arguments: Admission.Kind.allCases) func ordinaryUseIsNotFelt(kind: Admission.Kind) {
        let admission = Admission(rate: 1000)
        #expect(
            (0..<1000).allSatisfy { _ in
                admission.admit(kind, .idle, from: client(1), now: .start) == nil
            })
    }
}
