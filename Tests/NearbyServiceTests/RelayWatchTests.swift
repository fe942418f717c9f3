import Nearby
import Testing

@testable import NearbyService

/// Tests of the watch for relays. Hashes differ from run to run. The numbers are therefore far from a limit:
/// 100 of 300 allowed, 8 of 40, and then 200 and 2000. With a counter of 128 bits, each limit is more than
/// ten standard deviations away.
@Suite struct RelayWatchTests {
    private let token = Token(bits: 1)
    private let settings = ServiceSettings()

    private func listener(_ number: Int) -> SecretHash { SecretHash(of: "\(number)") }

    @Test func aRoomIsNotSuspect() {
        var watch = RelayWatch()
        for number in 0..<100 {
            for _ in 0..<3 {
                let isReported = watch.note(
                    token, by: listener(number),
                    at: ClientNetwork("10.0.\(number % 8).1"),
                    settings: settings, now: .start)
                #expect(!isReported)
            }
        }
    }

    @Test func manyNetworksAreToldOnce() {
        var watch = RelayWatch()
        let told = (0..<200).count {
            watch.note(
                token, by: listener($0 % 10), at: ClientNetwork("10.\($0).0.1"),
                settings: settings,
                now: .start)
        }
        #expect(told == 1)
        // Another token is counted separately, and so is this one after its life.
        let other = watch.note(
            Token(bits: 2), by: listener(0), at: ClientNetwork("10.0.0.1"), settings: settings, now: .start)
        #expect(!other)
        let later = (0..<200).count {
            watch.note(
                token, by: listener(0), at: ClientNetwork("10.\($0).0.1"),
                settings: settings,
                now: .start + settings.registry.tokenLife)
        }
        #expect(later == 1)
    }

    @Test func manyListenersAreTold() {
        var watch = RelayWatch()
        let told = (0..<2000).count {
            watch.note(
                token, by: listener($0), at: ClientNetwork("10.0.0.1"), settings: settings, now: .start)
        }
        #expect(told == 1)
    }
}
