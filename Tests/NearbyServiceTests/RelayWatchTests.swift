import Nearby
import Testing

@testable import NearbyService

/// Hashes differ from run to run. So numbers are far from a limit: 100 of 300 allowed, 8 of 40, and then 200 and 2000; each limit is
/// more than ten standard deviations of what 128 bits count away.
@Suite struct RelayWatchTests {
    private let token = Token(bits: 1)
    private let settings = ServiceSettings()

    private func listener(_ number: Int) -> SecretHash { SecretHash(of: "\(number)") }

    @Test func aRoomIsNotSuspect() {
        var watch = RelayWatch()
        for number in 0..<100 {
            for _ in 0..<3 {
                let isTold = watch.note(
                    token, by: listener(number), network: RelayWatch.network("10.0.\(number % 8).1"),
                    settings: settings, now: .start)
                #expect(!isTold)
            }
        }
    }

    @Test func manyNetworksAreToldOnce() {
        var watch = RelayWatch()
        let told = (0..<200).count {
            watch.note(
                token, by: listener($0 % 10), network: RelayWatch.network("10.\($0).0.1"), settings: settings,
                now: .start)
        }
        #expect(told == 1)
        // Another token is another matter, and so is this one when its life is over.
        let other = watch.note(
            Token(bits: 2), by: listener(0), network: 0, settings: settings, now: .start)
        #expect(!other)
        let later = (0..<200).count {
            watch.note(
                token, by: listener(0), network: RelayWatch.network("10.\($0).0.1"), settings: settings,
                now: .start + settings.registry.tokenLife)
        }
        #expect(later == 1)
    }

    @Test func manyListenersAreTold() {
        var watch = RelayWatch()
        let told = (0..<2000).count {
            watch.note(token, by: listener($0), network: 0, settings: settings, now: .start)
        }
        #expect(told == 1)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.250", true), ("192.0.2.7", "192.0.3.7", false),
        ("2001:db8:1::1", "2001:db8:1:ffff::2", true), ("2001:db8:1::1", "2001:db8:2::1", false),
        ("local", "local", true),
    ]) func networksOfAddresses(one: String, other: String, isSame: Bool) {
        #expect((RelayWatch.network(one) == RelayWatch.network(other)) == isSame)
    }
}
