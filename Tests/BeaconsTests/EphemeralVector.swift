import TestSupport
import Testing

/// A vector of Fixtures/beacons/ephemeral.json, which `Tools/reference/beacons.py` makes with OpenSSL.
struct EphemeralVector: Decodable {
    struct Identifier: Decodable {
        var key: String
        var exponent: Int
        var seconds: UInt32
        var identifier: String
    }
    struct Telemetry: Decodable {
        var key: String
        var exponent: Int
        var seconds: UInt32
        var fields: String
        var salt: UInt16
        var frame: String
    }
    struct Agreement: Decodable {
        var resolver: String
        var beacon: String
        var resolverPublic: String
        var beaconPublic: String
        var key: String
    }
    struct Box: Decodable {
        var key: String
        var nonce: String
        var associated: String
        var plaintext: String
        var ciphertext: String
        var tag: String
    }

    var identifiers: [Identifier]
    var telemetry: [Telemetry]
    var agreements: [Agreement]
    var boxes: [Box]

    static func all() throws -> EphemeralVector {
        try FixtureFolder("beacons").decode(EphemeralVector.self, from: "ephemeral.json")
    }
}
