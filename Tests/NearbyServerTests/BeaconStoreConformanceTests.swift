import Beacons
import Nearby
import NearbyService
import Synchronization
import Testing

/// Tests of the beacons that every store keeps.
@Suite struct BeaconStoreConformanceTests {
    private func name(_ number: UInt8) -> BeaconName {
        BeaconName(AdvertisedID(.eddystone, [UInt8](repeating: number, count: 16))!)
    }

    private func attachment(_ type: String, _ text: String, meters: Double = 0) -> BeaconAttachment {
        BeaconAttachment(AttachmentType(type)!, Array(text.utf8), maximumDistanceMeters: meters)!
    }

    private func whole(_ number: UInt8, of project: ProjectID) throws -> RegisteredBeacon {
        try RegisteredBeacon(
            name(number), of: project, status: .inactive, stability: .mobile, description: "a 'tag'; ä",
            place: "the door", properties: ["floor": "2", "": "x"].filter { !$0.key.isEmpty },
            attachments: [
                attachment("shop/offer", "two for one", meters: 1.5), attachment("shop/offer", ""),
            ],
            ephemeral: EphemeralRegistration(
                EphemeralIdentity(key: 0..<16, rotationExponent: 12)!, clockSeconds: .max,
                registeredUnixSeconds: 1_700_000_000))
    }

    private func shop(
        _ kind: StoreKind
    ) async throws -> (StorePlace, any ServiceStore, shop: ProjectID, other: ProjectID) {
        let place = try kind.place()
        kept.places.withLock { $0.append(place) }
        let store = try await place.open()
        return (
            place, store, try await store.createProject("shop").id, try await store.createProject("other").id
        )
    }

    private let limits = BeaconLimits()
    /// Keeps the stores' places; they are removed together with it.
    private let kept = Kept()

    private final class Kept: Sendable {
        let places = Mutex<[StorePlace]>([])
    }

    @Test(arguments: StoreKind.allCases) func beaconsComeBackWhole(_ kind: StoreKind) async throws {
        let (place, store, shop, other) = try await shop(kind)
        let beacons = [try whole(2, of: shop), try RegisteredBeacon(name(1), of: shop)]
        try await store.write([], beacons, of: shop, limits: limits)
        try await store.write([], [RegisteredBeacon(name(3), of: other)], of: other, limits: limits)
        let again = try await place.open()
        var back = try await again.beacons(of: shop, after: nil, areEphemeral: false, count: 10)
        #expect(back.map(\.revision) == [1, 1])
        for n in back.indices { back[n].revision = 0 }
        #expect(back == beacons.reversed())
        let after = try await again.beacons(of: shop, after: name(1), areEphemeral: false, count: 10)
        #expect(after.map(\.name) == [name(2)])
        let first = try await again.beacons(of: shop, after: nil, areEphemeral: false, count: 1)
        #expect(first.map(\.name) == [name(1)])
        let ephemeral = try await again.beacons(of: shop, after: nil, areEphemeral: true, count: 10)
        #expect(ephemeral.map(\.name) == [name(2)])
        let named = try await again.beacons(named: [name(3), name(2), name(9)])
        #expect(Set(named.map(\.project)) == [shop, other] && named.count == 2)
        #expect(try await again.beacons(named: []).isEmpty)
    }

    @Test(arguments: StoreKind.allCases) func whoIsLateChangesNothing(_ kind: StoreKind) async throws {
        let (_, store, shop, other) = try await shop(kind)
        try await store.write([], [RegisteredBeacon(name(1), of: shop)], of: shop, limits: limits)
        // Nobody registers it again, in whichever project.
        for project in [shop, other] {
            await #expect(throws: StoreError.exists("beacon \(name(1).text)")) {
                try await store.write(
                    [], [RegisteredBeacon(name(1), of: project)], of: project, limits: limits)
            }
        }
        var one = try await store.beacons(named: [name(1)])[0]
        var late = one
        one.place = "here"
        late.place = "there"
        try await store.write([], [one], of: shop, limits: limits)
        // The store writes all or nothing: it does not write the new beacon either.
        await #expect(throws: StoreError.changed("beacon \(name(1).text)")) {
            try await store.write([], [RegisteredBeacon(name(2), of: shop), late], of: shop, limits: limits)
        }
        let back = try await store.beacons(of: shop, after: nil, areEphemeral: false, count: 10)
        #expect(back.map(\.place) == ["here"] && back.map(\.revision) == [2])
    }

    @Test(arguments: StoreKind.allCases) func namespacesBelongToOne(_ kind: StoreKind) async throws {
        let (place, store, shop, other) = try await shop(kind)
        let unlisted = BeaconNamespace("shop", of: shop)!
        try await store.write([unlisted], [], of: shop, limits: limits)
        await #expect(throws: StoreError.exists("namespace shop")) {
            try await store.write(
                [BeaconNamespace("shop", of: other, isPublic: true)!], [], of: other, limits: limits)
        }
        #expect(try await store.namespaces(of: shop) == [unlisted])
        let open = BeaconNamespace("shop", of: shop, isPublic: true)!
        try await store.write([open, BeaconNamespace("cafe", of: shop)!], [], of: shop, limits: limits)
        let again = try await place.open()
        #expect(try await again.namespaces(of: shop).map(\.name) == ["cafe", "shop"])
        #expect(try await again.namespaces(named: ["shop", "none"]) == [open])
        #expect(try await again.namespaces(of: other).isEmpty)
    }

    @Test(arguments: StoreKind.allCases) func noMoreThanAllowed(_ kind: StoreKind) async throws {
        let (_, store, shop, other) = try await shop(kind)
        var few = BeaconLimits()
        (few.beaconsPerProject, few.attachmentsPerProject, few.namespacesPerProject) = (2, 3, 1)
        let limits = few
        try await store.write(
            [BeaconNamespace("shop", of: shop)!], [whole(1, of: shop), RegisteredBeacon(name(2), of: shop)],
            of: shop, limits: limits)
        await #expect(throws: StoreError.full("2 beacons")) {
            try await store.write([], [RegisteredBeacon(name(3), of: shop)], of: shop, limits: limits)
        }
        await #expect(throws: StoreError.full("1 namespaces")) {
            try await store.write([BeaconNamespace("cafe", of: shop)!], [], of: shop, limits: limits)
        }
        var changed = try await store.beacons(named: [name(2)])[0]
        for text in ["a", "b"] { try changed.attach(attachment("shop/offer", text)) }
        let one = changed
        await #expect(throws: StoreError.full("3 attachments")) {
            try await store.write([], [one], of: shop, limits: limits)
        }
        try await store.write([], [RegisteredBeacon(name(3), of: other)], of: other, limits: limits)
        #expect(try await store.beacons(named: [name(2)])[0].attachments.isEmpty)
    }

    @Test(arguments: StoreKind.allCases) func clocksAndKeysAreKept(_ kind: StoreKind) async throws {
        let (place, store, shop, other) = try await shop(kind)
        let before = try await store.beaconGeneration(of: shop)
        try await store.write([], [whole(1, of: shop)], of: shop, limits: limits)
        #expect(try await store.beaconGeneration(of: shop) != before)
        #expect(try await store.beaconGeneration(of: other) == before)
        try await store.note(BeaconDrift(seconds: -70, registeredUnixSeconds: 5), of: name(1), project: shop)
        let drift = BeaconDrift(seconds: 1 << 40, registeredUnixSeconds: 6)
        try await store.note(drift, of: name(1), project: shop)
        let key = try await store.resolverKey(orElse: [UInt8](repeating: 1, count: 32))
        let again = try await place.open()
        #expect(try await again.drifts(of: shop) == [name(1): drift])
        #expect(try await again.drifts(of: other).isEmpty)
        #expect(try await again.resolverKey(orElse: [UInt8](repeating: 2, count: 32)) == key)
    }

    /// Twenty tasks attach one attachment each at the same time, and none is lost.
    @Test(arguments: StoreKind.allCases) func manyChangeOneBeacon(_ kind: StoreKind) async throws {
        let (_, store, shop, _) = try await shop(kind)
        let administration = BeaconAdministration(shop, store: store)
        try await administration.claim("shop", isPublic: false)
        try await administration.register(RegisteredBeacon(name(1), of: shop))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for n in 0..<20 {
                let attachment = attachment("shop/offer", "\(n)")
                group.addTask { try await administration.change(name(1)) { try $0.attach(attachment) } }
            }
            try await group.waitForAll()
        }
        let contents = try await administration.beacon(name(1)).attachments.map(\.content)
        #expect(Set(contents) == Set((0..<20).map { Array("\($0)".utf8) }))
        await #expect(throws: BeaconProblem.self) {
            try await administration.change(name(1)) { try $0.attach(attachment("mall/offer", "")) }
        }
    }
}
