import Nearby
import Testing

@testable import example_lan

/// Tests of a third medium: two engines find each other by UDP multicast on the loopback interface.
@Suite(.timeLimit(.minutes(1))) struct MulticastMediumTests {
    private let registry = LocalRegistry()
    private let strategy = Strategy(media: [.lan])

    /// Returns an engine on a group of the test's own.
    private func engine(port: UInt16) throws -> NearbyEngine {
        var group = MulticastGroup()
        (group.interface, group.port) = ("127.0.0.1", port)
        return NearbyEngine(media: [try MulticastMedium(group)], registry: registry.device())
    }

    @Test func twoDevicesFindAndLoseEachOther() async throws {
        let (anna, ben) = (try engine(port: 47_866), try engine(port: 47_866))
        var events = try await ben.subscribe(strategy: strategy).makeAsyncIterator()
        let publication = try await anna.publish(Message("Anna"), strategy: strategy)
        guard case .found(let found) = await events.next() else {
            Issue.record("expected Anna's message")
            return
        }
        #expect(found.message.text == "Anna")
        await publication.end()
        #expect(await events.next() == .lost(found))
    }

    /// A medium whose network interface does not exist reports why, and keeps trying.
    @Test func aMissingInterfaceIsAnObstacle() async throws {
        var group = MulticastGroup()
        group.interface = "192.0.2.1"
        let medium = try MulticastMedium(group)
        await medium.carryOut(MediumAssignment(isScanning: true))
        for await case .condition(let condition) in medium.events() where condition.scan != nil {
            #expect(condition.scan == .failing && condition.broadcast == .failing)
            #expect(condition.reasons[.scan]?.hasPrefix("IP_MULTICAST_IF: ") == true)
            break
        }
    }
}
