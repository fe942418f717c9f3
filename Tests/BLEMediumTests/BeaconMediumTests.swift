import BLEMedium
import Beacons
import Nearby
import Synchronization
import Testing

/// Tests of beacons by radio, in real time, in radio environments of their own within this process.
@Suite(.timeLimit(.minutes(2))) struct BeaconMediumTests {
    /// A registry of beacons in this process.
    private struct List: BeaconRegistry {
        var known: [AdvertisedID: KnownBeacon]

        func attachments(
            for observed: Set<AdvertisedID>, types: Set<AttachmentFilter>
        ) async throws(RegistryError) -> [KnownBeacon] {
            observed.compactMap { known[$0] }
        }
    }

    /// A sender of one beacon's frame, as often as the radio sends it.
    private final class Sender: Sendable {
        private let radio: BLERadio

        init(_ air: String, _ beacon: Beacon) throws {
            radio = try BLERadio(.loopback(air), .init(heard: { _, _ in }, found: { _, _, _ in }))
            var composer = AdvertisementComposer()
            try composer.append(AdvertisementFlags.beacon)
            try composer.append(beacon)
            radio.carryOut(
                RadioOrder(
                    advertising: .init([.init(plain: composer.bytes, extended: composer.bytes)], epoch: 1)))
        }

        func stop() async {
            radio.carryOut(.idle)
            await radio.silence()
        }
    }

    private static let beacons: [Beacon] = [
        .eddystone(.uid(EddystoneUID(identifier: 1, txPowerAtZeroMetersDBm: -9))),
        .eddystone(
            .ephemeral(EddystoneEID(identifier: EphemeralIdentifier(rawValue: 2), txPowerAtZeroMetersDBm: -9))
        ),
        .iBeacon(IBeaconFrame(uuid: 3, major: 1, minor: 2, powerAtOneMeterDBm: -50)),
    ]

    private func engine(_ air: String, _ registry: (any BeaconRegistry)?) throws -> NearbyEngine {
        var settings = EngineSettings.standard
        settings.beaconLoss = .seconds(2)
        return NearbyEngine(
            media: [try BLEMedium(.loopback(air))], registry: LocalRegistry().device(), beacons: registry,
            settings: settings)
    }

    private func list(_ beacon: Beacon) throws -> List {
        let id = try #require(AdvertisedID(beacon))
        let type = try #require(AttachmentType("project/poster"))
        let attachment = try #require(BeaconAttachment(type, "menu".utf8))
        return List(known: [id: KnownBeacon(id: id, name: "b", attachments: [attachment])])
    }

    /// Each kind of beacon, over controllers with old and with new commands, is found within a second of its
    /// frames and lost when they end.
    @Test(arguments: ["legacy beacon", "new beacon"], 0..<3)
    func foundAndLost(_ air: String, number: Int) async throws {
        let (air, beacon) = ("\(air) \(number)", Self.beacons[number])
        let phone = try engine(air, try list(beacon))
        let sender = try Sender(air, beacon)
        var events = try await phone.subscribe(Subscription(looksForDevices: false, beacons: .standard))
            .makeAsyncIterator()
        guard case .found(let found) = await events.next() else { throw Missing() }
        #expect(found.message == (try Message("menu", type: "poster", namespace: "project")))
        // The loopback receives all frames with -50 dBm.
        #expect(found.beacon?.rssiDBm == -50)
        let meters = try #require(found.beacon?.meters)
        #expect(abs(meters - 1) < 0.01)
        await sender.stop()
        guard case .lost(let lost) = await events.next() else { throw Missing() }
        #expect(lost.id == found.id)
        await phone.end()
    }

    /// Without a registry the beacon's id is the message.
    @Test func rawID() async throws {
        let phone = try engine("raw beacon", nil)
        let sender = try Sender("raw beacon", Self.beacons[0])
        var events = try await phone.subscribe(Subscription(looksForDevices: false, beacons: .standard))
            .makeAsyncIterator()
        guard case .found(let found) = await events.next() else { throw Missing() }
        #expect(found.message.content == [UInt8](repeating: 0, count: 15) + [1])
        #expect(found.message.type == "__eddystone_uid")
        await sender.stop()
        await phone.end()
    }

    /// A phone that looks for devices and beacons finds both, each in its own way. One that does not look for
    /// beacons hears none.
    @Test func besideTokens() async throws {
        let registry = LocalRegistry()
        let air = "beacons and tokens"
        let box = NearbyEngine(media: [try BLEMedium(.loopback(air))], registry: registry.device())
        let phone = NearbyEngine(
            media: [try BLEMedium(.loopback(air))], registry: registry.device(),
            beacons: try list(Self.beacons[2]))
        let sender = try Sender(air, Self.beacons[2])
        let publication = try await box.publish(
            Message("channel"), strategy: Strategy(media: [.ble], mode: .broadcast))
        var events = try await phone.subscribe(
            Subscription(strategy: Strategy(media: [.ble], mode: .scan), beacons: .standard)
        ).makeAsyncIterator()
        var texts: Set<String> = []
        while texts.count < 2, let event = await events.next() {
            if case .found(let one) = event { texts.insert(one.message.text) }
        }
        #expect(texts == ["channel", "menu"])
        await publication.end()
        await sender.stop()
        await box.end()
        await phone.end()
    }

    private struct Missing: Error {}
}
