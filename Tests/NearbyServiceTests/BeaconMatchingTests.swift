import Nearby
import Testing

@testable import NearbyService

/// Tests of the attachments that a project sees, and of the beacons that it sees them for.
@Suite struct BeaconMatchingTests {
    private let mine = ProjectID(1)
    private let theirs = ProjectID(2)

    private func id(_ number: UInt8) -> AdvertisedID {
        AdvertisedID(.eddystone, [UInt8](repeating: number, count: 16))!
    }

    private func beacon(
        _ number: UInt8, of project: ProjectID, _ types: String...,
        status: RegisteredBeacon.Status = .active
    ) throws -> RegisteredBeacon {
        try RegisteredBeacon(
            BeaconName(id(number)), of: project, status: status,
            attachments: types.map { BeaconAttachment(AttachmentType($0)!, Array($0.utf8))! })
    }

    private func matching(_ filters: String...) -> BeaconMatching {
        let namespaces = [
            BeaconNamespace("shop", of: mine)!, BeaconNamespace("cafe", of: mine)!,
            BeaconNamespace("secret", of: theirs)!, BeaconNamespace("town", of: theirs, isPublic: true)!,
        ]
        return BeaconMatching(
            project: mine, filters: Set(filters.map { AttachmentFilter($0)! }),
            namespaces: Dictionary(uniqueKeysWithValues: namespaces.map { ($0.name, $0) }))
    }

    private func seen(
        _ beacon: RegisteredBeacon, _ matching: BeaconMatching
    ) -> [String]? {
        let answer = matching.answer(for: [beacon.name.id], beacons: [beacon.name.id: beacon])
        return answer.first.map { $0.attachments.map(\.type.description) }
    }

    @Test func onesOwnByTypeNamespaceAndStar() throws {
        let beacon = try beacon(1, of: mine, "shop/offer", "shop/hours", "cafe/menu")
        #expect(seen(beacon, matching("shop/offer")) == ["shop/offer"])
        #expect(seen(beacon, matching("shop/*")) == ["shop/offer", "shop/hours"])
        #expect(seen(beacon, matching("*")) == ["shop/offer", "shop/hours", "cafe/menu"])
        #expect(seen(beacon, matching("shop/other", "cafe/menu")) == ["cafe/menu"])
        // A project's own beacon is known without attachments, too.
        #expect(seen(beacon, matching()) == [])
    }

    @Test func othersOnlyWhatIsPublicAndAskedForByName() throws {
        let beacon = try beacon(2, of: theirs, "town/sight", "secret/word")
        #expect(seen(beacon, matching("town/sight")) == ["town/sight"])
        #expect(seen(beacon, matching("town/*", "secret/*")) == ["town/sight"])
        #expect(seen(beacon, matching("secret/word")) == nil)
        #expect(seen(beacon, matching("*")) == nil)
        #expect(seen(beacon, matching()) == nil)
    }

    /// Unknown, foreign and inactive beacons give the same answer, as if they were not there.
    @Test func unknownForeignAndInactiveAreSilentAlike() throws {
        let beacons = [
            try beacon(1, of: mine, "shop/offer", status: .inactive),
            try beacon(2, of: mine, "shop/offer", status: .decommissioned),
            try beacon(3, of: theirs, "secret/word"),
            try beacon(4, of: mine, "shop/offer"),
        ]
        let answer = matching("*", "secret/*", "shop/*").answer(
            for: [id(1), id(2), id(3), id(4), id(5)],
            beacons: Dictionary(uniqueKeysWithValues: beacons.map { ($0.name.id, $0) }))
        #expect(answer.map(\.id) == [id(4)])
    }

    @Test(arguments: [
        ("shop/offer", "shop/offer"), ("shop/*", "shop/*"), ("*", "*"), ("a.b-c_D9/ä ö", "a.b-c_D9/ä ö"),
        ("", nil), ("shop", nil), ("/offer", nil), ("shop/", nil), ("*/offer", nil), ("*/*", nil),
        ("shop/of*", nil), ("shop/a/b", nil), ("sh op/x", nil), ("shop/\u{7}", nil),
        ("shop/" + String(repeating: "x", count: 32), "shop/" + String(repeating: "x", count: 32)),
        ("shop/" + String(repeating: "x", count: 33), nil), (String(repeating: "n", count: 65) + "/x", nil),
    ])
    func filters(text: String, expected: String?) {
        #expect(AttachmentFilter(text)?.description == expected)
    }

    @Test func attachmentsAreBounded() {
        let type = AttachmentType("shop/offer")!
        #expect(BeaconAttachment(type, [UInt8](repeating: 0, count: 1024)) != nil)
        #expect(BeaconAttachment(type, [UInt8](repeating: 0, count: 1025)) == nil)
        for meters in [-1, -.leastNonzeroMagnitude, .infinity, .nan] as [Double] {
            #expect(BeaconAttachment(type, [1], maximumDistanceMeters: meters) == nil)
        }
    }
}
