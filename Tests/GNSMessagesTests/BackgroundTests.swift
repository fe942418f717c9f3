import Foundation
import GNSMessages
import Nearby
import Testing

/// Tests of operations in the background, and of those that outlive a killed process.
@Suite struct BackgroundTests {
    private let world = World()
    private let background = GNSStrategy(paramsBlock: { params in
        params?.discoveryMediums = .BLE
        params?.allowInBackground = true
    })

    @Test func onlyWhatIsForTheBackgroundGoesOnThere() async {
        let device = world.device(media: [.audio: .ready, .ble: .ready])
        let (manager, record) = (device.manager(), Record())
        let kept = manager.subscription(to: record) { $0?.strategy = background }
        let stopped = manager.subscription(to: Record())
        await eventually { kept?.status == .active && stopped?.status == .active }
        manager.setInBackground(true)
        await eventually { stopped?.status == .inactive }
        #expect(kept?.status == .active)
        #expect(device.ble.assignment.isScanning)
        await eventually { device.audio.assignment == .idle }
        #expect(stopped?.inactiveReason?.contains("the app is in the background") == true)
        manager.setInBackground(false)
        await eventually { stopped?.status == .active }
        withExtendedLifetime((manager, kept, stopped)) {}
    }

    /// A killed device releases nothing and leaves its store behind. The next device, with that store,
    /// restores the operations.
    @Test func operationsAreRestoredWithTheirSettings() async throws {
        let (anna, bert) = (world.device(media: [.ble: .ready]), world.device(media: [.ble: .ready]))
        let killed = anna.manager()
        #expect(killed.savedOperations.isEmpty)
        let publication = killed.publication(
            with: GNSMessage("Anna", type: "name"), paramsBlock: { $0?.strategy = background })
        let subscription = killed.subscription(
            messageFoundHandler: nil, messageLostHandler: nil,
            paramsBlock: { params in
                params?.type = "greeting"
                params?.deviceTypesToDiscover = [.usingNearby, .bleBeacon]
                params?.strategy = background
                params?.beaconStrategy = GNSBeaconStrategy(paramsBlock: { params in
                    params?.includeIBeacons = false
                    params?.lowPowerPreferred = false
                    params?.allowInBackground = true
                })
            })
        let manager = anna.manager()
        let saved = manager.savedOperations
        try #require(saved.map(\.kind) == [.publication, .subscription])
        #expect(saved[1].type == "greeting" && saved[1].deviceTypesToDiscover == [.usingNearby, .bleBeacon])
        let strategy = saved[1].beaconStrategy
        #expect(!strategy.includeIBeacons && !strategy.lowPowerPreferred && strategy.allowInBackground)
        #expect(saved.allSatisfy { $0.strategy.allowInBackground && $0.strategy.discoveryMediums == .BLE })

        let (record, other) = (Record(), bert.manager("key"))
        let seen = other.subscription(to: record)
        #expect(
            manager.subscription(restoring: saved[0], messageFoundHandler: nil, messageLostHandler: nil)
                == nil)
        #expect(manager.publication(restoring: saved[1]) == nil)
        let restored = manager.publication(restoring: saved[0])
        let greetings = Record()
        let restoredSubscription = manager.subscription(
            restoring: saved[1], messageFoundHandler: greetings.found, messageLostHandler: greetings.lost)
        let greeting = other.publication(with: GNSMessage("hello", type: "greeting"))
        await eventually { greetings.foundTexts == ["hello"] && record.foundTexts.contains("Anna") }
        withExtendedLifetime((killed, publication, subscription, manager, restored, restoredSubscription)) {}
        withExtendedLifetime((other, seen, greeting)) {}
    }

    @Test func whatWasReleasedIsNotRestored() {
        let device = world.device(media: [.ble: .ready])
        let manager = device.manager()
        var publication = manager.publication(
            with: GNSMessage("Anna"), paramsBlock: { $0?.strategy = background })
        #expect(device.manager().savedOperations.count == 1)
        publication = nil
        _ = publication
        #expect(device.manager().savedOperations.isEmpty)
        #expect(device.manager("another key").savedOperations.isEmpty)
        withExtendedLifetime(manager) {}
    }
}
