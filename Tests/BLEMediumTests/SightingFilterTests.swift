import BLEMedium
import Nearby
import Testing

struct SightingFilterTests {
    private func frame(_ bits: UInt64) -> [UInt8] { Token(bits: bits).bytes }

    /// A frame is reported at once, and then once a second.
    @Test func oneThatStays() {
        var filter = SightingFilter()
        let told = (0..<100).filter { n in
            filter.note(frame(1), now: .start + .milliseconds(100 * n)) == .reported
        }
        // The second sighting makes it known.
        #expect(told == [0, 1, 11, 21, 31, 41, 51, 61, 71, 81, 91])
    }

    @Test func aFewNewOnesAreToldAtOnce() {
        var filter = SightingFilter()
        for one in 0..<100 { #expect(filter.note(frame(UInt64(one)), now: .start) == .reported) }
        #expect(filter.note(frame(100), now: .start) == .ignored)
        #expect(filter.note(frame(101), now: .start + .seconds(1)) == .reported)
    }

    /// There are 100 000 random tokens a second for 10 s. A real one is soon known and reported every second;
    /// hardly any of the others is.
    @Test func aFloodHidesNobody() {
        var filter = SightingFilter()
        var random = TestRandom(7)
        var (reportsOfPeer, reportsOfOthers, lastMiss) = (0, 0, 0)
        for n in 0..<1_000_000 {
            let now = Instant.start + .microseconds(10 * n)
            if filter.note(frame(random.next()), now: now) == .reported { reportsOfOthers += 1 }
            guard n % 10_000 == 0 else { continue }
            switch filter.note(frame(1), now: now) {
            case .reported: reportsOfPeer += 1
            case .known: break
            case .ignored: lastMiss = n / 10_000
            }
        }
        // A second sighting is seen with p = e^(-10 000 / 32 768) = 0.74: twenty misses in a row are 2e-12.
        #expect(lastMiss <= 20)
        #expect(reportsOfPeer >= 8)
        #expect(reportsOfOthers <= 1100 && filter.knownCount <= SightingFilter.limit)
    }

    /// If there are as many as allowed, and one more, those not heard for half a minute make room.
    @Test func knownOnesAreBounded() {
        var filter = SightingFilter()
        for one in 0..<2000 {
            for _ in 0..<2 { _ = filter.note(frame(UInt64(one)), now: .start + .milliseconds(one)) }
            #expect(filter.knownCount <= SightingFilter.limit)
        }
        for _ in 0..<2 { _ = filter.note(frame(9999), now: .start + .seconds(40)) }
        #expect(filter.note(frame(9999), now: .start + .seconds(41.5)) == .reported)
        #expect(filter.knownCount == 1)
    }
}
