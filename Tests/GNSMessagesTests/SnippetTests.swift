import Foundation
import GNSMessages
import Nearby
import TestSupport
import Testing

/// Tests that each Swift snippet of the documentation does what its text says. ``VerbatimSnippets`` holds the
/// snippets unchanged. In ``WorkingSnippets`` the comments that stand for an app's code are reached.
@Suite struct SnippetTests {
    private let world = World()
    private let record = Record()

    private static let documents =
        ProcessInfo.processInfo.environment["NEARBY_DOCUMENTS"] ?? Repository.path("../shared/seeds")

    /// The documentation may be in `NEARBY_DOCUMENTS` or beside the repository.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: documents)))
    func sourcesAreTheDocuments() async throws {
        let outcome = try await Program.run(Repository.path("Tools/seed-snippets"), [SnippetTests.documents])
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    // MARK: "Publish and Subscribe"

    /// The test checks "Message exchange is unauthenticated": a key is all that is needed.
    @Test func createMessageManager() async {
        let (anna, bert) = (world.device(), world.device())
        let messageManager = anna.run { VerbatimSnippets.createMessageManager() }
        let other = bert.manager("API_KEY")
        let subscription = other.subscription(to: record)
        let publication = messageManager.publication(with: GNSMessage("Anna"))
        await eventually { record.foundTexts == ["Anna"] }
        withExtendedLifetime((other, subscription, publication)) {}
    }

    /// "The publication is active as long as the publication object exists."
    @Test func publish() async {
        let (anna, bert) = (world.device(), world.device())
        let (one, other) = (anna.manager(), bert.manager())
        let subscription = other.subscription(to: record)
        var publication = VerbatimSnippets.publish(messageManager: one, name: "Anna")
        await eventually { record.foundTexts == ["Anna"] && publication?.status == .active }
        publication = nil
        await eventually { record.lostTexts == ["Anna"] }
        withExtendedLifetime((one, other, subscription)) {}
    }

    /// "Subscribing to all names shared by the previous publication snippet."
    @Test func subscribe() async {
        let (anna, bert) = (world.device(), world.device())
        let (one, other) = (anna.manager(), bert.manager())
        var subscription = WorkingSnippets.subscribe(messageManager: other, reach: record.add)
        let verbatim = VerbatimSnippets.subscribe(messageManager: other)
        var publication = VerbatimSnippets.publish(messageManager: one, name: "Anna")
        let add = "Add the name to a list for display"
        await eventually { record.values(add, as: GNSMessage.self).map(\.text) == ["Anna"] }
        await eventually { verbatim?.status == .active && publication?.status == .active }
        publication = nil
        await eventually { record.words == [add, "Remove the name from the list"] }
        #expect(record.areAllOnMain)
        subscription = nil
        withExtendedLifetime((one, other, subscription)) {}
    }

    /// "An app designed to connect to a set-top box that only broadcasts audio needs to scan on audio to
    /// discover it."
    @Test func publishToSetTopBox() async {
        let (phone, box) = (
            world.device(media: [.audio: .ready, .ble: .ready]),
            world.device(media: [.audio: MediumCondition(scan: .missing)])
        )
        let (one, other) = (phone.manager(), box.manager())
        let subscription = other.subscription(to: record) { params in
            params?.strategy = GNSStrategy(paramsBlock: { params in
                params?.discoveryMediums = .audio
                params?.discoveryMode = .broadcast
            })
        }
        let publication = VerbatimSnippets.publishToSetTopBox(
            messageManager: one, message: GNSMessage("play"))
        await eventually { record.foundTexts == ["play"] }
        #expect(phone.audio.assignment == MediumAssignment(isScanning: true))
        #expect(phone.ble.assignment == .idle)
        withExtendedLifetime((one, other, publication, subscription)) {}
    }

    /// "Debug logging prints significant internal events to the console."
    @Test func enableDebugLogging() async {
        VerbatimSnippets.enableDebugLogging()
        #expect(GNSMessageManager.isDebugLoggingEnabled())
        let device = world.device()
        let manager = device.manager()
        let publication = VerbatimSnippets.publish(messageManager: manager, name: "Anna")
        await eventually { device.lines.contains("Audio: Broadcasting started") }
        withExtendedLifetime((manager, publication)) {}
    }

    /// "Not called the first time until the user has granted or denied permission. Release the permission
    /// object to stop."
    @Test func trackAndTogglePermission() async {
        let device = world.device(permission: .undecided)
        var permission: GNSPermission? = device.run { WorkingSnippets.trackPermission(reach: record.add) }
        let verbatim = device.run { VerbatimSnippets.trackPermission() }
        #expect(record.isEmpty)
        #expect(device.run { VerbatimSnippets.togglePermission() } == false)
        await eventually { record.values("Update the UI here") == [true] }
        #expect(device.run { VerbatimSnippets.togglePermission() } == true)
        await eventually { record.values("Update the UI here") == [true, false] }
        permission = nil
        #expect(device.run { VerbatimSnippets.togglePermission() } == false)
        let later = Record()
        let witness = device.run { GNSPermission(changedHandler: later.permission) }
        await eventually { later.values("permission") == [true] }
        #expect(record.values("Update the UI here") == [true, false])
        withExtendedLifetime((permission, verbatim, witness)) {}
    }

    /// "Tracking user settings that affect Nearby."
    @Test func trackUserSettings() async {
        let device = world.device(media: [.audio: .ready, .ble: .ready])
        let manager = device.run {
            WorkingSnippets.trackUserSettings(API_KEY: "key", reach: record.add)
        }
        device.audio.set(MediumCondition(scan: .forbidden))
        device.ble.set(MediumCondition(broadcast: .poweredOff, scan: .forbidden))
        for words in ["microphone permission", "Bluetooth power", "Bluetooth permission"] {
            await eventually { record.values("Update the UI for \(words)") == [true] }
        }
        device.audio.set(.ready)
        device.ble.set(.ready)
        for words in ["microphone permission", "Bluetooth power", "Bluetooth permission"] {
            await eventually { record.values("Update the UI for \(words)") == [true, false] }
        }
        #expect(record.areAllOnMain)
        let verbatim = device.run { VerbatimSnippets.trackUserSettings(API_KEY: "key") }
        withExtendedLifetime((manager, verbatim)) {}
    }

    /// "The custom block must call the permissionHandler block after the user responds."
    @Test(arguments: [true, false]) func publishWithOwnDialog(answer: Bool) async throws {
        let device = world.device(permission: .undecided)
        let manager = device.manager()
        let publication = WorkingSnippets.publishWithOwnDialog(
            messageManager: manager, name: "Anna",
            reach: { words, value in
                record.add(words, nil)
                if let handler = value as? GNSPermissionHandler, words.hasPrefix("Don't forget") {
                    handler(answer)
                }
            })
        await eventually { record.words.count == 2 }
        #expect(record.words.first == "Show your custom dialog here." && record.areAllOnMain)
        await eventually { device.run { GNSPermission.isGranted() } == answer }
        await eventually { publication?.status == (answer ? .active : .inactive) }
        let verbatim = VerbatimSnippets.publishWithOwnDialog(messageManager: manager, name: "Anna")
        withExtendedLifetime((manager, publication, verbatim)) {}
    }

    /// "Enable background mode and BLE-only mode in your subscription."
    @Test func subscribeInBackground() async {
        let (anna, bert) = (world.device(media: [.ble: .ready]), world.device(media: [.ble: .ready]))
        let (one, other) = (anna.manager(), bert.manager())
        let subscription = WorkingSnippets.subscribeInBackground(messageManager: other, reach: record.add)
        let verbatim = VerbatimSnippets.subscribeInBackground(messageManager: other)
        other.setInBackground(true)
        await eventually { subscription?.status == .active && verbatim?.status == .active }
        let publication = VerbatimSnippets.publish(messageManager: one, name: "Anna")
        await eventually { record.words == ["Add the name to a list for display"] }
        #expect(other.savedOperations.isEmpty && bert.manager().savedOperations.count == 2)
        withExtendedLifetime((one, other, publication, subscription, verbatim)) {}
    }

    // MARK: "Receive beacon messages"

    private typealias BeaconSnippet =
        @Sendable (GNSMessageManager, @escaping GNSMessageHandler, @escaping GNSMessageHandler) ->
        (any GNSSubscription)?

    /// Without Bluetooth, the log shows the request, and the subscription says why nothing is found.
    /// `BeaconTests` tests the same with Bluetooth.
    @Test(arguments: [
        (0, "beacons: 1/1/1, background: 0"), (1, "beacons: 1/1/1, background: 0"),
        (2, "beacons: 1/0/1, background: 0"), (3, "beacons: 1/0/0, background: 0"),
        (4, "beacons: 1/1/1, background: 0"), (5, "beacons: 1/1/1, background: 1"),
    ])
    func beaconSubscriptions(number: Int, summary: String) async {
        let snippets: [BeaconSnippet] = [
            {
                VerbatimSnippets.subscribeToBeacons(
                    messageManager: $0, myMessageFoundHandler: $1, myMessageLostHandler: $2)
            },
            {
                VerbatimSnippets.subscribeToBeaconsOfNamespace(
                    messageManager: $0, myMessageFoundHandler: $1, myMessageLostHandler: $2)
            },
            {
                VerbatimSnippets.subscribeWithoutIBeacons(
                    messageManager: $0, myMessageFoundHandler: $1, myMessageLostHandler: $2)
            },
            {
                VerbatimSnippets.subscribeWithHighPower(
                    messageManager: $0, myMessageFoundHandler: $1, myMessageLostHandler: $2)
            },
            {
                VerbatimSnippets.subscribeToBeaconsWithOwnDialog(
                    messageManager: $0, myMessageFoundHandler: $1, myMessageLostHandler: $2,
                    userGavePermission: true)
            },
            {
                VerbatimSnippets.subscribeToBeaconsInBackground(
                    messageManager: $0, myMessageFoundHandler: $1, myMessageLostHandler: $2)
            },
        ]
        GNSMessageManager.setDebugLoggingEnabled(true)
        let device = world.device()
        let manager = device.manager()
        let subscription = snippets[number](manager, record.found, record.lost)
        #expect(device.lines.contains("Subscribe (mediums: 3, broadcast/scan: 3, \(summary))"))
        #expect(subscription?.status == .inactive)
        #expect(subscription?.inactiveReason == "beacons are found by BLE, and there is no BLE medium")
        #expect(device.manager().savedOperations.count == (number == 5 ? 1 : 0))
        withExtendedLifetime((manager, subscription)) {}
    }

    /// "Set the permissionRequestHandler to a custom block in the subscription parameters."
    @Test(arguments: [true, false]) func beaconsWithOwnDialog(userGavePermission: Bool) async {
        let device = world.device(permission: .undecided)
        let (manager, changes) = (device.manager(), Record())
        let permission = device.run { GNSPermission(changedHandler: changes.permission) }
        let subscription = WorkingSnippets.subscribeToBeaconsWithOwnDialog(
            messageManager: manager, myMessageFoundHandler: record.found, myMessageLostHandler: record.lost,
            userGavePermission: userGavePermission, reach: { words, _ in record.add(words, nil) })
        await eventually { changes.values("permission") == [userGavePermission] }
        #expect(
            record.words == [
                "Show your custom dialog here, and don't forget to call permissionHandler after it is dismissed"
            ])
        withExtendedLifetime((manager, permission, subscription)) {}
    }
}
