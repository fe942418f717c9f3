import Beacons
import Nearby
import NearbyService
import Testing

@Suite struct RegisteredBeaconTests {
    private let name = BeaconName("beacons/3!00112233445566778899aabbccddeeff")!

    @Test(arguments: [
        "beacons/3!00112233445566778899aabbccddeeff", "beacons/4!0011223344556677",
        "beacons/1!00112233445566778899aabbccddeeff00010002",
        "beacons/5!00112233445566778899aabbccddeeff00010002",
    ])
    func namesSayThemselves(text: String) throws {
        #expect(try #require(BeaconName(text)).description == text)
        #expect(
            BeaconName(text.replacing("a", with: "A").replacing("beAcons", with: "beacons"))
                == BeaconName(text))
        #expect(BeaconName(String(text.dropLast())) == nil)
        #expect(BeaconName(String(text.dropLast(2))) == nil)
        #expect(BeaconName(text + "00") == nil)
    }

    @Test(arguments: ["", "beacons/3!", "beacons/2!00112233445566778899aabbccddeeff", "3!00", "beacons/3!xx"])
    func noNames(text: String) { #expect(BeaconName(text) == nil) }

    @Test func decommissionedIsForEver() throws {
        var beacon = try RegisteredBeacon(name, of: ProjectID(1))
        try beacon.become(.inactive)
        try beacon.become(.active)
        try beacon.become(.decommissioned)
        for status in [RegisteredBeacon.Status.active, .inactive] {
            #expect(throws: BeaconProblem.self) { try beacon.become(status) }
        }
        try beacon.become(.decommissioned)
        #expect(beacon.status == .decommissioned)
    }

    @Test func isBounded() throws {
        let attachment = BeaconAttachment(AttachmentType("shop/offer")!, [1])!
        var beacon = try RegisteredBeacon(
            name, of: ProjectID(1), attachments: Array(repeating: attachment, count: 32))
        #expect(throws: BeaconProblem.self) { try beacon.attach(attachment) }
        #expect(throws: BeaconProblem.self) {
            try RegisteredBeacon(name, of: ProjectID(1), description: String(repeating: "x", count: 141))
        }
        #expect(throws: BeaconProblem.self) {
            try RegisteredBeacon(
                name, of: ProjectID(1),
                properties: Dictionary(uniqueKeysWithValues: (0..<17).map { ("\($0)", "") }))
        }
        #expect(throws: BeaconProblem.self) {
            try RegisteredBeacon(BeaconName("beacons/4!0011223344556677")!, of: ProjectID(1))
        }
    }
}
