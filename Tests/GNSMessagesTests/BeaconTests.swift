import Foundation
import GNSMessages
import Nearby
import Testing

/// Tests of "Receive beacon messages": the messages that the snippets find, on a simulated radio.
@Suite struct BeaconTests {
    private let world = World()
    private let record = Record()
    private let eddystone = BeaconTests.id(.eddystone)
    private let iBeacon = BeaconTests.id(.iBeacon)

    private static func id(_ kind: AdvertisedID.Kind) -> AdvertisedID {
        AdvertisedID(kind, Array(repeating: 7, count: kind.byteCount))!
    }

    /// A registry in which both beacons have a menu of the project, and an attachment of another company.
    private struct Shop: BeaconRegistry {
        func attachments(
            for observed: Set<AdvertisedID>, types: Set<AttachmentFilter>
        ) async throws(RegistryError) -> [KnownBeacon] {
            observed.map { id in
                let names: [(String, AttachmentFilter)] = [
                    ("project/menu", .own),
                    (
                        "com.mycompany.mybeaconservice/mybeacontype",
                        .namespace("com.mycompany.mybeaconservice")
                    ),
                    ("com.mycompany.mybeaconservice/other", .namespace("com.mycompany.mybeaconservice")),
                ]
                let attachments = names.compactMap { name, filter -> BeaconAttachment? in
                    guard let type = AttachmentType(name) else { return nil }
                    guard types.contains(filter) || types.contains(.type(type)) else { return nil }
                    return BeaconAttachment(type, "\(id.kind) \(name)".utf8)
                }
                return KnownBeacon(id: id, name: "\(id.kind)", attachments: attachments)
            }
        }
    }

    private func phone(hasRegistry: Bool = true, permission: Permission = .granted) -> Device {
        world.device(permission: permission, media: [.ble: .ready]) { environment in
            if hasRegistry { environment.makeBeaconRegistry = { _, _ in Shop() } }
        }
    }

    /// Lets the device hear both beacons, every tenth of a second.
    private func hear(_ device: Device, times: Int = 1) {
        for _ in 0..<times {
            world.air.advance(by: .milliseconds(100))
            for id in [eddystone, iBeacon] { device.ble.hear(id) }
        }
    }

    private typealias Snippet =
        @Sendable (GNSMessageManager, @escaping GNSMessageHandler, @escaping GNSMessageHandler) ->
        (any GNSSubscription)?

    private static let all = ["eddystone project/menu", "iBeacon project/menu"]

    private static let snippets: [(snippet: Snippet, finds: [String], scan: BeaconScan)] = [
        (
            {
                VerbatimSnippets.subscribeToBeacons(
                    messageManager: $0, myMessageFoundHandler: $1, myMessageLostHandler: $2)
            }, all, BeaconScan(BeaconStrategy.standard.kinds)
        ),
        (
            {
                VerbatimSnippets.subscribeToBeaconsOfNamespace(
                    messageManager: $0, myMessageFoundHandler: $1, myMessageLostHandler: $2)
            },
            ["eddystone", "iBeacon"].map { $0 + " com.mycompany.mybeaconservice/mybeacontype" },
            BeaconScan(BeaconStrategy.standard.kinds)
        ),
        (
            {
                VerbatimSnippets.subscribeWithoutIBeacons(
                    messageManager: $0, myMessageFoundHandler: $1, myMessageLostHandler: $2)
            }, ["eddystone project/menu"], BeaconScan(BeaconStrategy.eddystone, isSparing: true)
        ),
        (
            {
                VerbatimSnippets.subscribeWithHighPower(
                    messageManager: $0, myMessageFoundHandler: $1, myMessageLostHandler: $2)
            }, ["eddystone project/menu"], BeaconScan(BeaconStrategy.eddystone)
        ),
        (
            {
                VerbatimSnippets.subscribeToBeaconsInBackground(
                    messageManager: $0, myMessageFoundHandler: $1, myMessageLostHandler: $2)
            }, all, BeaconScan(BeaconStrategy.standard.kinds)
        ),
    ]

    /// Each snippet finds the messages that its text names, each once, and loses them when the beacons are
    /// gone.
    @Test(arguments: 0..<5) func snippetsFindAndLose(number: Int) async {
        let (snippet, finds, scan) = Self.snippets[number]
        let device = phone()
        let manager = device.manager()
        let subscription = snippet(manager, record.found, record.lost)
        await eventually { subscription?.status == .active && device.ble.assignment.beacons == scan }
        #expect(!device.ble.assignment.isScanning)
        await eventually {
            hear(device)
            return record.foundTexts.count == finds.count
        }
        hear(device, times: 5)
        #expect(record.foundTexts.sorted() == finds && record.lostTexts.isEmpty)
        #expect(record.values("found", as: GNSMessage.self).allSatisfy { $0.type.hasPrefix("m") })
        await eventually {
            world.air.advance(by: .seconds(2))
            return record.lostTexts.count == finds.count
        }
        #expect(record.foundTexts.count == finds.count && record.areAllOnMain)
        withExtendedLifetime((manager, subscription)) {}
    }

    /// The test checks "Beacon subscriptions stop when the app goes to the background", except for those that
    /// allow it.
    @Test(arguments: [(0, false), (4, true)]) func inTheBackground(number: Int, goesOn: Bool) async {
        let device = phone()
        let manager = device.manager()
        let subscription = Self.snippets[number].snippet(manager, record.found, record.lost)
        await eventually { device.ble.assignment.beacons != nil }
        manager.setInBackground(true)
        await eventually { device.ble.assignment.beacons?.isSparing == (goesOn ? true : nil) }
        withExtendedLifetime((manager, subscription)) {}
    }

    /// No beacons are looked for before the user has agreed.
    @Test func afterPermission() async {
        let device = phone(permission: .undecided)
        let manager = device.manager()
        let subscription = WorkingSnippets.subscribeToBeaconsWithOwnDialog(
            messageManager: manager, myMessageFoundHandler: record.found, myMessageLostHandler: record.lost,
            userGavePermission: true, reach: { _, _ in })
        await eventually {
            hear(device)
            return record.foundTexts.count == 2
        }
        device.run { GNSPermission.setGranted(false) }
        await eventually { record.lostTexts.count == 2 && device.ble.assignment == .idle }
        withExtendedLifetime((manager, subscription)) {}
    }

    /// Without a registry for beacons, the subscription finds their ids. Devices are found as always.
    @Test func idsAndDevices() async {
        let (device, other) = (phone(hasRegistry: false), world.device(media: [.ble: .ready]))
        let (manager, publisher) = (device.manager(), other.manager())
        let subscription = manager.subscription(to: record) {
            $0?.deviceTypesToDiscover = [.usingNearby, .bleBeacon]
        }
        let publication = publisher.publication(with: GNSMessage("Anna"))
        await eventually {
            hear(device)
            return record.values("found", as: GNSMessage.self).count == 3
        }
        let types = record.values("found", as: GNSMessage.self).map { $0.type ?? "" }
        #expect(types.sorted() == ["", "__eddystone_uid", "__i_beacon_id"])
        withExtendedLifetime((manager, publisher, subscription, publication)) {}
    }

    @Test func theLogSaysSo() async {
        GNSMessageManager.setDebugLoggingEnabled(true)
        let device = phone()
        let manager = device.manager()
        var subscription = Self.snippets[0].snippet(manager, record.found, record.lost)
        await eventually {
            hear(device)
            return record.foundTexts.count == 2
        }
        let lines = device.lines.all
        #expect(lines.contains("Beacon: Start scanning"))
        #expect(
            lines.contains { $0.hasPrefix("Report RPC request: 0 token(s), 1 beacon(s), 1 directive(s)") })
        #expect(
            lines.contains { $0.hasPrefix("Report RPC response: 0 directive(s), 0 token(s), 1 message(s)") })
        #expect(!lines.contains { $0.contains("Not scanning") })
        subscription = nil
        await eventually { device.lines.all.contains("Beacon: Stop scanning") }
        withExtendedLifetime((manager, subscription)) {}
    }
}
