import Beacons
import Nearby
import Testing

@testable import NearbyService

/// Tests of resolving ephemeral names while clocks drift and somebody replays recordings.
@Suite struct BeaconResolverTests {
    private let name = BeaconName("beacons/3!00112233445566778899aabbccddeeff")!
    private let identity = EphemeralIdentity(key: (0..<16).map { UInt8($0) }, rotationExponent: 10)!
    private let start: Int64 = 1_700_000_000

    private func resolver(
        at seconds: Int64, drift: BeaconDrift? = nil, status: RegisteredBeacon.Status = .active
    ) throws -> BeaconResolver {
        let beacon = try RegisteredBeacon(
            name, of: ProjectID(1), status: status,
            ephemeral: EphemeralRegistration(identity, clockSeconds: 5000, registeredUnixSeconds: start))
        return BeaconResolver(
            [beacon], drifts: drift.map { [name: $0] } ?? [:], generation: 1, unixSeconds: start + seconds)
    }

    /// Returns the beacon's name so many seconds after registration, if its clock is ahead by `drift`.
    private func sent(_ seconds: Int64, drift: Int64 = 0) -> EphemeralIdentifier {
        identity.identifier(atSeconds: UInt32(5000 + seconds + drift))
    }

    @Test func knowsItOwnAndNoOther() throws {
        var resolver = try resolver(at: 100_000)
        #expect(resolver.resolve(sent(100_000), unixSeconds: start + 100_000)?.name == name)
        #expect(resolver.resolve(EphemeralIdentifier(rawValue: 1), unixSeconds: start + 100_000) == nil)
        #expect(resolver.resolve(sent(0), unixSeconds: start + 100_000) == nil)
    }

    @Test func decommissionedIsNotFollowed() throws {
        var resolver = try resolver(at: 0, status: .decommissioned)
        #expect(resolver.resolve(sent(0), unixSeconds: start) == nil)
    }

    /// The beacon's clock is ahead by 150 parts in a million, and the beacon is heard once a week for two
    /// years. The resolver follows the drift, which is some hours by then, and reports it for storage. A new
    /// resolver that begins with the stored drift knows the beacon.
    @Test func driftIsFollowedAndKept() throws {
        var resolver = try resolver(at: 0)
        var kept: BeaconDrift?
        let week: Int64 = 7 * 86_400
        for n in Int64(1)...104 {
            let drift = n * week * 150 / 1_000_000
            let found = resolver.resolve(sent(n * week, drift: drift), unixSeconds: start + n * week)
            #expect(found?.name == name)
            kept = found?.drift ?? kept
        }
        let drift = 104 * week * 150 / 1_000_000
        #expect(drift > 9000)
        // The drift is stored to a quarter of a rotation, and known to a rotation.
        #expect(abs((kept?.seconds ?? 0) - drift) <= 1024 + 256)
        let now = 104 * week + 60
        var again = try self.resolver(at: now, drift: kept)
        #expect(again.resolve(sent(now, drift: drift), unixSeconds: start + now)?.name == name)
        // A drift that was found for another registration does not apply to this one.
        kept?.registeredUnixSeconds += 1
        var forgetful = try self.resolver(at: now, drift: kept)
        #expect(forgetful.resolve(sent(now, drift: drift), unixSeconds: start + now) == nil)
    }

    /// The previous rotation is accepted for a minute after the next one was heard, and not longer.
    @Test func recordingsAreOldAfterAMinute() throws {
        // A rotation begins here: 5000 + 120 = 5 · 1024.
        var resolver = try resolver(at: 0)
        let old = sent(100)
        #expect(resolver.resolve(sent(125), unixSeconds: start + 125)?.name == name)
        #expect(resolver.resolve(old, unixSeconds: start + 170)?.name == name)
        #expect(resolver.resolve(old, unixSeconds: start + 190) == nil)
        #expect(resolver.resolve(sent(190), unixSeconds: start + 190)?.name == name)
    }

    @Test func aWrongFirstNameIsRefused() throws {
        let registration = EphemeralRegistration(identity, clockSeconds: 5000, registeredUnixSeconds: start)
        try registration.check(sent(0))
        try registration.check(nil)
        #expect(throws: BeaconProblem.self) { try registration.check(sent(2000)) }
    }
}
