import Foundation
import GNSMessages
import Nearby
import Testing

/// Tests of messages that cannot be published and of strategies that cannot be carried out.
@Suite struct LimitTests {
    private let world = World()

    @Test(arguments: [
        (kGNSMessageMaximumContentSize, kGNSMessageMaximumTypeLength, false),
        (kGNSMessageMaximumContentSize + 1, 0, true), (0, kGNSMessageMaximumTypeLength + 1, true),
    ])
    func overTheLimitFailsAnAssertion(contentSize: Int, typeLength: Int, isOver: Bool) async {
        let record = Record()
        let device = world.device { $0.overLimit = { record.add("assertion", $0) } }
        let manager = device.manager()
        let message = GNSMessage(
            content: Data(count: contentSize), type: String(repeating: "ä", count: typeLength))
        let publication = manager.publication(
            with: message, paramsBlock: { $0?.statusHandler = record.status })
        #expect(record.values("assertion", as: String.self).count == (isOver ? 1 : 0))
        await eventually { record.statuses.last == (isOver ? .inactive : .active) }
        #expect(isOver == (publication?.inactiveReason?.contains("at most") ?? false))
        withExtendedLifetime((manager, publication)) {}
    }

    @Test func noMessageIsNotPublished() async {
        let manager = world.device().manager()
        for message in [nil, GNSMessage(content: nil)] {
            let publication = manager.publication(with: message)
            #expect(publication?.inactiveReason == "there is no message")
        }
        withExtendedLifetime(manager) {}
    }

    /// Each strategy has the reason that the app receives.
    @Test(arguments: [
        (GNSDiscoveryMediums(), GNSDiscoveryMode.default, false, "needs a medium"),
        (.default, GNSDiscoveryMode(), false, "name a mode"),
        (.default, .default, true, "in the background only BLE works"),
        (.audio, .default, true, "in the background only BLE works"),
    ])
    func strategyThatCannotBeIsInactiveWithAReason(
        mediums: GNSDiscoveryMediums, mode: GNSDiscoveryMode, background: Bool, reason: String
    ) async {
        GNSMessageManager.setDebugLoggingEnabled(true)
        let device = world.device()
        let (manager, record) = (device.manager(), Record())
        let strategy = GNSStrategy(paramsBlock: { params in
            params?.discoveryMediums = mediums
            params?.discoveryMode = mode
            params?.allowInBackground = background
        })
        let subscription = manager.subscription(to: record) { $0?.strategy = strategy }
        let publication = manager.publication(
            with: GNSMessage("Anna"),
            paramsBlock: { params in
                params?.strategy = strategy
                params?.statusHandler = record.status
            })
        await eventually { record.statuses == [.inactive, .inactive] }
        #expect(publication?.inactiveReason?.contains(reason) == true)
        #expect(subscription?.inactiveReason?.contains(reason) == true)
        for operation in ["Publish", "Subscribe"] {
            #expect(
                device.lines.all.contains { $0.hasPrefix("\(operation): Inactive: ") && $0.contains(reason) })
        }
        withExtendedLifetime((manager, publication, subscription)) {}
    }

    @Test func beaconsWaitForAMedium() async {
        GNSMessageManager.setDebugLoggingEnabled(true)
        let (manager, record) = (world.device().manager(), Record())
        let subscription = manager.subscription(to: record) { $0?.deviceTypesToDiscover = .bleBeacon }
        await eventually { record.statuses == [.inactive] }
        #expect(subscription?.inactiveReason == "beacons are found by BLE, and there is no BLE medium")
        withExtendedLifetime((manager, subscription)) {}
    }

    @Test func messagesAreEqualWhenTheirContentsAre() {
        #expect(GNSMessage("Anna", type: "name") == GNSMessage("Anna", type: "name"))
        #expect(GNSMessage("Anna", type: "name").hash == GNSMessage("Anna", type: "name").hash)
        #expect(GNSMessage("Anna", type: "name") != GNSMessage("Anna"))
        #expect(GNSMessage("Anna") != GNSMessage("Bert"))
    }
}
