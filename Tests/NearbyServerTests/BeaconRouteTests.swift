import AsyncHTTPClient
import Beacons
import Foundation
import Nearby
import NearbyClient
import NearbyServer
import NearbyServerSupport
import NearbyService
import NearbyWire
import Testing

/// Tests of the server's answers to apps about beacons, over HTTP, with every store.
@Suite(.timeLimit(.minutes(2))) struct BeaconRouteTests {
    /// A world of one server with two projects; the first one has beacons and namespaces.
    private struct World {
        let place: StorePlace
        let store: any ServiceStore
        let administration: BeaconAdministration
        let instance: Instance
        let (shop, mall): (Secret, Secret)

        init(_ kind: StoreKind) async throws {
            place = try kind.place()
            store = try await place.open()
            (shop, mall) = (try await World.key("shop", store), try await World.key("mall", store))
            administration = BeaconAdministration(shop.project, store: store)
            try await administration.claim("shop", isPublic: false)
            try await administration.claim("town", isPublic: true)
            instance = try await Instance(store)
        }

        private static func key(_ name: String, _ store: any ServiceStore) async throws -> Secret {
            var random = SystemRandomNumberGenerator()
            let secret = Secret(.key, of: try await store.createProject(name).id, random: &random)
            _ = try await store.addKey(secret.hash, label: "", to: secret.project)
            return secret
        }

        func client(_ key: Secret, of other: Instance? = nil) throws -> NearbyClient {
            try NearbyClient(server: (other ?? instance).url, apiKey: key.text)
        }

        func register(_ id: AdvertisedID, ephemeral: EphemeralRegistration? = nil) async throws {
            try await administration.register(
                RegisteredBeacon(
                    BeaconName(id), of: administration.project,
                    attachments: [
                        BeaconAttachment(
                            AttachmentType("shop/offer")!, Array("two for one".utf8),
                            maximumDistanceMeters: 5)!,
                        BeaconAttachment(AttachmentType("town/sight")!, Array("a tower".utf8))!,
                    ],
                    ephemeral: ephemeral))
        }
    }

    private let tag = AdvertisedID(.iBeacon, (0..<20).map { UInt8($0) })!
    private let types: Set<AttachmentFilter> = [.own, .type(AttachmentType("town/sight")!)]

    @Test(arguments: StoreKind.allCases) func eachProjectSeesItsShare(_ kind: StoreKind) async throws {
        let world = try await World(kind)
        try await world.register(tag)
        let (shop, mall) = (try world.client(world.shop), try world.client(world.mall))
        let unknown = AdvertisedID(.altBeacon, [UInt8](repeating: 0, count: 20))!
        let own = try await shop.attachments(for: [tag, unknown], types: types)
        #expect(own.map(\.id) == [tag] && own[0].name == BeaconName(tag).description)
        #expect(own[0].attachments.map(\.type.description) == ["shop/offer", "town/sight"])
        #expect(own[0].attachments.map(\.maximumDistanceMeters) == [5, 0])
        let foreign = try await mall.attachments(for: [tag, unknown], types: types)
        #expect(foreign.map { $0.attachments.map(\.content) } == [[Array("a tower".utf8)]])
        #expect(try await shop.attachments(for: [tag], types: []).map(\.attachments) == [[]])
        #expect(try await mall.attachments(for: [tag], types: []).isEmpty)
        // Changes take effect at once, in both directions.
        try await world.administration.change(BeaconName(tag)) { try $0.become(.inactive) }
        #expect(try await shop.attachments(for: [tag], types: types).isEmpty)
        #expect(try await mall.attachments(for: [tag], types: types).isEmpty)
        try await world.administration.change(BeaconName(tag)) { try $0.become(.active) }
        #expect(try await shop.attachments(for: [tag], types: types) == own)
        let metrics = try await world.instance.metrics()
        #expect(metrics.contains("nearby_beacon_queries_total 7\n"))
        #expect(metrics.contains("nearby_beacons_observed_total 9\n"))
        #expect(metrics.contains("nearby_beacons_known_total 4\n"))
        await shop.shutdown()
        await mall.shutdown()
        await world.instance.end()
    }

    /// A client that asks for more beacons than one question may name asks several questions.
    @Test func manyAtOnce() async throws {
        let world = try await World(.sqlite)
        func id(_ n: Int) -> AdvertisedID {
            AdvertisedID(.eddystone, [UInt8](repeating: 7, count: 14) + [UInt8(n >> 8), UInt8(n & 255)])!
        }
        for n in stride(from: 0, to: 500, by: 100) { try await world.register(id(n)) }
        let client = try world.client(world.shop)
        let known = try await client.attachments(for: Set((0..<500).map(id)), types: types)
        #expect(Set(known.map(\.id)) == Set(stride(from: 0, to: 500, by: 100).map(id)))
        await client.shutdown()
        await world.instance.end()
    }

    /// Every instance answers, whichever instance owns the project.
    @Test func anyInstanceAnswers() async throws {
        let world = try await World(.postgres)
        try await world.register(tag)
        let second = try await Instance(try await world.place.open())
        // The first instance owns the project.
        _ = try await WireDevice(world.shop.text, at: world.instance.url)
        let client = try world.client(world.shop, of: second)
        #expect(try await client.attachments(for: [tag], types: types).count == 1)
        #expect(try await second.metrics().contains("nearby_forwarded_total 0\n"))
        await client.shutdown()
        await second.end()
        await world.instance.end()
    }

    /// The beacon's key is agreed with the server's. An app that hears the beacon receives its attachments,
    /// but only in the beacon's own project.
    @Test(arguments: StoreKind.allCases) func changingNames(_ kind: StoreKind) async throws {
        let world = try await World(kind)
        let beacon = EphemeralKeyAgreement()
        let resolver = try await world.administration.resolverKey()
        let identity = try resolver.identity(withBeacon: beacon.publicKey, rotationExponent: 10)
        #expect(try beacon.identity(withResolver: resolver.publicKey, rotationExponent: 10) == identity)
        let stable = AdvertisedID(.eddystone, [UInt8](repeating: 5, count: 16))!
        let now = Int64(Date().timeIntervalSince1970)
        try await world.register(
            stable,
            ephemeral: EphemeralRegistration(identity, clockSeconds: 100_000, registeredUnixSeconds: now))
        // This is half a rotation from either end, however slow the test is.
        let name = identity.identifier(atSeconds: 100_000)
        let sent = AdvertisedID(.ephemeral, Hex.bytes(name.description)!)!
        let (shop, mall) = (try world.client(world.shop), try world.client(world.mall))
        let known = try await shop.attachments(for: [sent], types: types)
        #expect(known.map(\.name) == [BeaconName(stable).description] && known.map(\.id) == [sent])
        #expect(known.first?.attachments.count == 2)
        #expect(try await mall.attachments(for: [sent], types: types).isEmpty)
        // A sender of the stable name, which the beacon never sends, is somebody else.
        #expect(try await shop.attachments(for: [stable], types: types).isEmpty)
        #expect(
            try await world.administration.beacon(BeaconName(sent), unixSeconds: now).name
                == BeaconName(stable))
        await shop.shutdown()
        await mall.shutdown()
        await world.instance.end()
    }

    /// A beacon that is registered after the first question is known as soon as the server reads the project
    /// again.
    @Test func newOnesAreFoundWithinSeconds() async throws {
        let world = try await World(.sqlite)
        let client = try world.client(world.shop)
        let identity = EphemeralIdentity(key: 0..<16, rotationExponent: 15)!
        let sent = AdvertisedID(
            .ephemeral, Hex.bytes(identity.identifier(atSeconds: 40_000).description)!)!
        #expect(try await client.attachments(for: [sent], types: types).isEmpty)
        try await world.register(
            AdvertisedID(.eddystone, [UInt8](repeating: 5, count: 16))!,
            ephemeral: EphemeralRegistration(
                identity, clockSeconds: 40_000, registeredUnixSeconds: Int64(Date().timeIntervalSince1970)))
        let end = ContinuousClock.now + .seconds(30)
        while try await client.attachments(for: [sent], types: types).isEmpty, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(ContinuousClock.now < end)
        await client.shutdown()
        await world.instance.end()
    }

    @Test func whatIsRefused() async throws {
        let world = try await World(.sqlite)
        let device = try await WireDevice(world.shop.text, at: world.instance.url)
        func ask(_ bearer: String, _ body: String) async throws -> (UInt, String) {
            var request = HTTPClientRequest(url: "\(world.instance.url)/v1/beacons:getforobserved")
            request.method = .POST
            request.headers.add(name: "Authorization", value: "Bearer \(bearer)")
            request.body = .bytes(Array(body.utf8))
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
            return (response.status.code, String(buffer: try await response.body.collect(upTo: 1 << 20)))
        }
        #expect(try await ask(world.shop.text, "{\"observations\":[]}") == (200, "{\"beacons\":[]}"))
        for bearer in ["", "nbk_1_x", device.secret] {
            #expect(try await ask(bearer, "{\"observations\":[]}").0 == 401)
        }
        let one = #"{"advertisedId":{"type":"EDDYSTONE_EID","id":"AAAAAAAAAAA="},"telemetry":5}"#
        let many = Array(repeating: one, count: 201).joined(separator: ",")
        for (body, place) in [
            ("", "expected JSON, came nothing"), ("{}", "'observations' is missing"),
            (
                #"{"observations":[{"advertisedId":{"type":"X","id":""}}]}"#,
                "observations[0].advertisedId.type"
            ),
            (
                #"{"observations":[{"advertisedId":{"type":"IBEACON","id":"AAAA"}}]}"#,
                "observations[0].advertisedId.id: 20 bytes for IBEACON, not 3"
            ),
            (#"{"observations":[],"namespacedTypes":["shop"]}"#, "namespacedTypes[0]"),
            ("{\"observations\":[\(many)]}", "observations: at most 200, not 201"),
        ] {
            let (status, line) = try await ask(world.shop.text, body)
            #expect(status == 400 && line.contains(place), "\(line)")
        }
        #expect(try await ask(world.shop.text, "{\"observations\":[\(one)]}").0 == 200)
        // Reading a question costs its bytes, whatever it contains.
        let padded = "{\"observations\":[],\"x\":\"\(String(repeating: "a", count: 1_500_000))\"}"
        #expect(try await ask(world.shop.text, padded).0 == 200)
        #expect(try await ask(world.shop.text, padded).0 == 429)
        // There are 20 000 beacons, of which the padding has used three quarters, and then 500 a second.
        let full = "{\"observations\":[\(distinct(200))]}"
        var statuses: [UInt] = []
        while statuses.count < 300, statuses.last != 429 {
            statuses.append(try await ask(world.shop.text, full).0)
        }
        #expect(statuses.count > 20 && statuses.last == 429)
        await world.instance.end()
    }

    private func distinct(_ count: Int) -> String {
        (0..<count).map { n in
            let id = Data([UInt8](repeating: 0, count: 15) + [UInt8(n)]).base64EncodedString()
            return "{\"advertisedId\":{\"type\":\"EDDYSTONE\",\"id\":\"\(id)\"}}"
        }.joined(separator: ",")
    }
}
