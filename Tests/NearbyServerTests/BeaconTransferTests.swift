import Beacons
import Foundation
import Nearby
import NearbyServer
import NearbyService
import Testing

/// Tests that an export can be imported, and that errors name their line.
@Suite struct BeaconTransferTests {
    private let folder = TemporaryFolder()
    private let export = """
        {"namespace":"cafe","visibility":"PUBLIC"}
        {"namespace":"shop","visibility":"UNLISTED"}
        {"attachments":[{"data":"aMOk","maxDistanceMeters":0.1,"namespacedType":"cafe/menu"},{"data":"","namespacedType":"shop/x"}],"beacon":"beacons/1!00112233445566778899aabbccddeeff00010002","properties":{"a":"b\\u0001","c":"\\"d"},"status":"INACTIVE"}
        {"beacon":"beacons/3!00112233445566778899aabbccddeeff","description":"d","ephemeral":{"clockSeconds":7,"identityKey":"AAECAwQFBgcICQoLDA0ODw==","registeredUnixSeconds":1700000000,"rotationExponent":10},"place":"p","stability":"ROVING","status":"ACTIVE"}
        {"beacon":"beacons/5!00112233445566778899aabbccddeeff00010002","status":"DECOMMISSIONED"}
        """

    private func administration() async throws -> BeaconAdministration { try await administrations()[0] }

    /// Two projects of one store.
    private func administrations() async throws -> [BeaconAdministration] {
        let store = try SQLiteStore(path: folder.path + "/\(UUID().uuidString).sqlite")
        return [
            BeaconAdministration(try await store.createProject("shop").id, store: store),
            BeaconAdministration(try await store.createProject("mall").id, store: store),
        ]
    }

    private func lines(_ administration: BeaconAdministration, withKeys: Bool = true) async throws -> String {
        var lines: [String] = []
        try await administration.export(withKeys: withKeys) { lines.append($0) }
        return lines.joined(separator: "\n")
    }

    private func take(_ text: String, _ administration: BeaconAdministration) async throws {
        _ = try await administration.importLines(
            text.split(separator: "\n", omittingEmptySubsequences: false))
    }

    @Test func roundTripIsExact() async throws {
        let (one, other) = (try await administration(), try await administration())
        try await take(export, one)
        #expect(try await lines(one) == export)
        try await take(try await lines(one), other)
        #expect(try await lines(other) == export)
        // Importing twice is the same as importing once.
        try await take(export, one)
        #expect(try await lines(one) == export)
    }

    @Test func keysStayWhereTheyAre() async throws {
        let (one, other) = (try await administration(), try await administration())
        try await take(export, one)
        let open = try await lines(one, withKeys: false)
        #expect(!open.contains("identityKey") && !open.contains("AAECAwQFBgcICQoLDA0ODw"))
        try await take(open, one)
        #expect(try await lines(one) == export)
        await #expect(throws: BeaconProblem.self) { try await take(open, other) }
        #expect(try await lines(other) == "")
    }

    /// An import takes all or nothing, and its error names the line.
    @Test(arguments: [
        ("{\"beacon\":", "line 7: beacon: expected a value, came the end"),
        ("[]", "line 7: expected an object, came an array"),
        ("{\"name\":\"x\"}", "line 7: a 'beacon' or a 'namespace'"),
        ("{\"namespace\":\"a b\",\"visibility\":\"PUBLIC\"}", "line 7: namespace: 1 to 64 letters"),
        ("{\"namespace\":\"ab\",\"visibility\":\"HIDDEN\"}", "line 7: visibility"),
        ("{\"beacon\":\"beacons/3!00\",\"status\":\"ACTIVE\"}", "line 7: beacon: beacons/N!hex"),
        (
            "{\"beacon\":\"beacons/4!0011223344556677\",\"status\":\"ACTIVE\"}",
            "line 7: beacons/4!0011223344556677 is what a beacon is called for minutes"
        ),
        ("{\"beacon\":\"beacons/3!ff112233445566778899aabbccddeeff\"}", "line 7: 'status' is missing"),
        (
            "{\"beacon\":\"beacons/3!ff112233445566778899aabbccddeeff\",\"status\":\"GONE\"}",
            "line 7: status: ACTIVE, INACTIVE or DECOMMISSIONED, not 'GONE'"
        ),
        (
            "{\"beacon\":\"beacons/5!00112233445566778899aabbccddeeff00010002\",\"status\":\"ACTIVE\"}",
            "line 7: beacons/5!00112233445566778899aabbccddeeff00010002 is in line 5 already"
        ),
        (
            "{\"attachments\":[{\"data\":\"\",\"namespacedType\":\"mall/x\"}],\"beacon\":\"beacons/3!ff112233445566778899aabbccddeeff\",\"status\":\"ACTIVE\"}",
            "line 7: the namespace 'mall' is not this project's"
        ),
        (
            "{\"attachments\":[{\"data\":\"\",\"maxDistanceMeters\":-1,\"namespacedType\":\"shop/x\"}],\"beacon\":\"beacons/3!ff112233445566778899aabbccddeeff\",\"status\":\"ACTIVE\"}",
            "line 7: attachments[0].maxDistanceMeters: 0 or more, not -1.0"
        ),
    ])
    func wrongLines(line: String, expected: String) async throws {
        let administration = try await administration()
        do {
            try await take(export + "\n\n" + line, administration)
            Issue.record("it is taken")
        } catch let problem as BeaconProblem {
            #expect(problem.description.hasPrefix(expected), "\(problem)")
            #expect(!problem.description.contains("\n"))
        }
        #expect(try await lines(administration) == "")
    }

    @Test func nothingBringsBackWhatIsDecommissioned() async throws {
        let administration = try await administration()
        try await take(export, administration)
        let revived =
            "\n{\"beacon\":\"beacons/5!00112233445566778899aabbccddeeff00010002\",\"status\":\"ACTIVE\"}"
        await #expect(throws: BeaconProblem.self) { try await take(revived, administration) }
        #expect(try await lines(administration) == export)
    }

    @Test func whatIsOfOthersStaysTheirs() async throws {
        let administrations = try await administrations()
        let (one, other) = (administrations[0], administrations[1])
        try await take(export, one)
        for line in export.split(separator: "\n") where !line.contains("attachments") {
            await #expect(throws: BeaconProblem.self) { try await take(String(line), other) }
        }
        #expect(try await lines(other) == "")
        await #expect(throws: BeaconProblem.self) {
            _ = try await other.beacon(BeaconName("beacons/3!00112233445566778899aabbccddeeff")!)
        }
    }
}
