import CryptoExtras
import Testing

@testable import Beacons

/// Tests against a second implementation, and against the numbers of RadiusNetworks' ephemeral_calc.
@Suite struct EphemeralTests {
    private func identity(_ key: String, _ exponent: Int = 10) throws -> EphemeralIdentity {
        try #require(EphemeralIdentity(key: bytes(key), rotationExponent: exponent))
    }

    @Test func knownIdentifiers() throws {
        let identity = try identity("0102030405060708090a111213141516")
        #expect(identity.identifier(atSeconds: 0).description == "a9b76a71c5f89290")
        #expect(identity.identifier(atSeconds: 2000).description == "4144413e45fefa58")
        #expect(identity.identifier(atSeconds: 1024) == identity.identifier(atSeconds: 2047))
        #expect(identity.identifier(atSeconds: 1023) != identity.identifier(atSeconds: 1024))
    }

    @Test func knownAgreement() throws {
        let resolver = try #require(
            EphemeralKeyAgreement(
                privateKey: bytes("61136adab1bf302f1c49e860196aeefd8fbaa41518b4c226372d6cc469c47278")))
        let beacon = try #require(
            EphemeralKeyAgreement(
                privateKey: bytes("6ea13b5ef3cc642fd6102c1d85c096b510f56efc488114a4562a987bf4525628")))
        let expected = try identity("f40d6f18e5882260e847e99ca33ac44f")
        #expect(try resolver.identity(withBeacon: beacon.publicKey, rotationExponent: 10) == expected)
        #expect(try beacon.identity(withResolver: resolver.publicKey, rotationExponent: 10) == expected)
        // The order of the public keys matters: their roles are part of the key.
        #expect(try beacon.identity(withBeacon: resolver.publicKey, rotationExponent: 10) != expected)
    }

    @Test func knownTelemetry() throws {
        let identity = try identity("0102030405060708090a111213141516")
        let telemetry = EddystoneTelemetry(
            batteryMillivolts: 3000, temperature: 0x1500, advertisementCount: 1, uptimeDeciseconds: 1)
        let sealed = identity.seal(telemetry, atSeconds: 1_234_567, salt: 0xABCD)
        #expect(sealed.bytes == (try bytes("2001ee6690375b9f599588964b99abcdcb70")))
        #expect(identity.open(sealed, atSeconds: 1_234_567) == telemetry)
    }

    @Test func identifiersOfTheSecondImplementation() throws {
        let vectors = try EphemeralVector.all().identifiers
        #expect(vectors.count == 128)
        for vector in vectors {
            let identity = try identity(vector.key, vector.exponent)
            #expect(identity.identifier(atSeconds: vector.seconds).description == vector.identifier)
        }
    }

    @Test func telemetryOfTheSecondImplementation() throws {
        let vectors = try EphemeralVector.all().telemetry
        #expect(vectors.count == 16)
        for vector in vectors {
            let identity = try identity(vector.key, vector.exponent)
            let frame = try bytes(vector.frame)
            guard case .encryptedTelemetry(let sealed) = try eddystone(frame) else {
                Issue.record("encrypted telemetry was expected")
                continue
            }
            let opened = try #require(identity.open(sealed, atSeconds: vector.seconds))
            #expect(opened.fields == (try bytes(vector.fields)))
            #expect(identity.seal(opened, atSeconds: vector.seconds, salt: vector.salt).bytes == frame)
        }
    }

    @Test func agreementsOfTheSecondImplementation() throws {
        let vectors = try EphemeralVector.all().agreements
        #expect(vectors.count == 8)
        for vector in vectors {
            let resolver = try #require(EphemeralKeyAgreement(privateKey: bytes(vector.resolver)))
            let beacon = try #require(EphemeralKeyAgreement(privateKey: bytes(vector.beacon)))
            #expect(resolver.publicKey == (try bytes(vector.resolverPublic)))
            #expect(beacon.publicKey == (try bytes(vector.beaconPublic)))
            let one = try resolver.identity(withBeacon: beacon.publicKey, rotationExponent: 4)
            let other = try beacon.identity(withResolver: resolver.publicKey, rotationExponent: 4)
            #expect(one.keyBytes == (try bytes(vector.key)) && one == other)
        }
    }

    /// The points are the seven of small order of RFC 7748's curve in their shortest form, 0 and 1 among
    /// them.
    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
    func secretsThatEverybodyKnowsAreRefused(publicKey: String) throws {
        let agreement = EphemeralKeyAgreement()
        let other = try bytes(publicKey)
        #expect(throws: EphemeralKeyProblem.zeroSecret) {
            try agreement.identity(withBeacon: other, rotationExponent: 10)
        }
        #expect(throws: EphemeralKeyProblem.zeroSecret) {
            try agreement.identity(withResolver: other, rotationExponent: 10)
        }
    }

    @Test func wrongKeysAndExponents() throws {
        let agreement = EphemeralKeyAgreement()
        let other = EphemeralKeyAgreement().publicKey
        #expect(throws: EphemeralKeyProblem.byteCount(31)) {
            try agreement.identity(withBeacon: Array(other.dropLast()), rotationExponent: 10)
        }
        #expect(throws: EphemeralKeyProblem.rotationExponent(16)) {
            try agreement.identity(withBeacon: other, rotationExponent: 16)
        }
        #expect(EphemeralKeyAgreement(privateKey: [1]) == nil)
        #expect(EphemeralIdentity(key: [UInt8](repeating: 1, count: 15), rotationExponent: 0) == nil)
        #expect(EphemeralIdentity(key: [UInt8](repeating: 1, count: 16), rotationExponent: -1) == nil)
    }

    /// If any bit, the rotation or the key is changed, nothing is opened, except for the one in 65 536 that a
    /// tag of 2 bytes lets through.
    @Test func changedTelemetryIsNotOpened() throws {
        let mine = try identity("0102030405060708090a111213141516")
        let other = try identity("0102030405060708090a111213141517")
        let sealed = mine.seal(
            EddystoneTelemetry(advertisementCount: 7, uptimeDeciseconds: 8), atSeconds: 5000, salt: 1)
        #expect(mine.open(sealed, atSeconds: 5119) != nil)
        #expect(mine.open(sealed, atSeconds: 5120) == nil)
        #expect(other.open(sealed, atSeconds: 5000) == nil)
        for bit in 16..<8 * 18 {
            var frame = sealed.bytes
            frame[bit / 8] ^= 1 << UInt8(bit % 8)
            guard case .encryptedTelemetry(let changed) = try eddystone(frame) else {
                Issue.record("encrypted telemetry was expected")
                continue
            }
            #expect(mine.open(changed, atSeconds: 5000) == nil, "bit \(bit)")
        }
    }
}
