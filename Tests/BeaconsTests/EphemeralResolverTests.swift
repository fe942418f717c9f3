import Signal
import Testing

@testable import Beacons

@Suite struct EphemeralResolverTests {
    private func identity(_ seed: UInt64, exponent: Int = 10) throws -> EphemeralIdentity {
        var random = SplitMix64(seed: seed)
        let key = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        return try #require(EphemeralIdentity(key: key, rotationExponent: exponent))
    }

    @Test func findsWhoSentIt() throws {
        var resolver = EphemeralResolver()
        let identities = try (0..<100).map { try identity(UInt64($0), exponent: $0 % 16) }
        let ids = try identities.enumerated().map {
            let id = resolver.register($1, beaconSeconds: UInt32($0 * 1000), nowSeconds: 0)
            return try #require(id)
        }
        for now in stride(from: Int64(0), to: 300_000, by: 7919) {
            for (index, identity) in identities.enumerated() {
                let time = UInt32(index * 1000) + UInt32(now)
                let found = resolver.resolve(identity.identifier(atSeconds: time), nowSeconds: now)
                let match = try #require(found)
                #expect(match.beacon == ids[index])
                #expect(match.rotationStartSeconds == (time >> UInt32(index % 16)) << UInt32(index % 16))
                #expect(match.driftSeconds == 0 && !match.isOlderThanHeard)
            }
        }
        let nobody = resolver.resolve(EphemeralIdentifier(rawValue: 1), nowSeconds: 300_000)
        #expect(nobody == nil)
        #expect(resolver.identifierCount <= 300 && resolver.count == 100)
    }

    /// For a year the clock is 200 ppm off, either way, and the beacon is heard once a day: 17.3 s a day,
    /// 6307 s in all, more than six rotations.
    @Test(arguments: [-200, 200])
    func followsDrift(ppm: Int64) throws {
        let identity = try identity(1)
        var resolver = EphemeralResolver(windowRotations: 1)
        let start: Int64 = 1_000_000
        let registered = resolver.register(identity, beaconSeconds: 1_000_000, nowSeconds: start)
        let id = try #require(registered)
        var random = SplitMix64(seed: 5)
        var last: Int64 = 0
        for day in Int64(1)...365 {
            let now = start + day * 86_400 + Int64(random.next() % 3600)
            let time = UInt32(1_000_000 + (now - start) + (now - start) * ppm / 1_000_000)
            let match = resolver.resolve(identity.identifier(atSeconds: time), nowSeconds: now)
            #expect(match?.beacon == id, "day \(day)")
            last = match?.driftSeconds ?? 0
        }
        // An identifier gives only a rotation of 1024 s.
        let right = 365 * 86_400 * ppm / 1_000_000
        #expect(abs(last - right) <= 1024, "\(last) for \(right)")
    }

    /// A beacon that is not heard is lost when its clock is wrong by more than the window.
    @Test func outsideTheWindow() throws {
        let identity = try identity(2)
        for window in 0...3 {
            var resolver = EphemeralResolver(windowRotations: window)
            _ = resolver.register(identity, beaconSeconds: 100_000, nowSeconds: 0)
            for rotations in -5...5 {
                let time = UInt32(100_000 + rotations * 1024)
                var copy = resolver
                let match = copy.resolve(identity.identifier(atSeconds: time), nowSeconds: 0)
                #expect((match != nil) == (abs(rotations) <= window), "\(rotations) of \(window)")
            }
        }
    }

    /// A recording that is played again is found and marked. It does not set the clock back, however often it
    /// comes.
    @Test func recordingsDoNotSetTheClock() throws {
        let identity = try identity(3)
        var resolver = EphemeralResolver()
        _ = resolver.register(identity, beaconSeconds: 10_240, nowSeconds: 0)
        let recorded = identity.identifier(atSeconds: 10_240)
        #expect(resolver.resolve(recorded, nowSeconds: 0)?.isOlderThanHeard == false)
        let next = identity.identifier(atSeconds: 11_300)
        #expect(resolver.resolve(next, nowSeconds: 1060)?.driftSeconds == 0)
        for now in stride(from: Int64(1060), to: 2048, by: 50) {
            let match = resolver.resolve(recorded, nowSeconds: now)
            #expect(match?.isOlderThanHeard == true && match?.driftSeconds == 0)
        }
        #expect(resolver.resolve(recorded, nowSeconds: 2048) == nil)
        #expect(resolver.resolve(identity.identifier(atSeconds: 13_000), nowSeconds: 2760)?.driftSeconds == 0)
    }

    @Test func registeredOnceAndRemoved() throws {
        let identity = try identity(4)
        var resolver = EphemeralResolver()
        let registered = resolver.register(identity, beaconSeconds: 0, nowSeconds: 0)
        let id = try #require(registered)
        #expect(resolver.register(identity, beaconSeconds: 5000, nowSeconds: 0) == nil)
        // At the beacon's own time 0 there is nothing before it.
        #expect(resolver.identifierCount == 2)
        #expect(resolver.identity(of: id) == identity)
        resolver.remove(id)
        resolver.remove(id)
        #expect(resolver.identifierCount == 0 && resolver.count == 0 && resolver.identity(of: id) == nil)
        #expect(resolver.resolve(identity.identifier(atSeconds: 0), nowSeconds: 0) == nil)
        let again = resolver.register(identity, beaconSeconds: 0, nowSeconds: 0)
        #expect(again != nil && again != id)
    }

    /// The caller's time goes back, and a beacon's 32 bits end.
    @Test(arguments: [0, 10])
    func timesAtTheEnds(exponent: Int) throws {
        let identity = try identity(5, exponent: exponent)
        var resolver = EphemeralResolver()
        _ = resolver.register(identity, beaconSeconds: .max, nowSeconds: 0)
        #expect(resolver.resolve(identity.identifier(atSeconds: .max), nowSeconds: 0) != nil)
        #expect(resolver.resolve(identity.identifier(atSeconds: .max), nowSeconds: 1_000_000_000) != nil)
        _ = resolver.resolve(EphemeralIdentifier(rawValue: 1), nowSeconds: -5_000_000_000)
        #expect(resolver.identifierCount >= 1)
    }

    /// The table is the same however time came there: 200 random steps, also back.
    @Test func windowsHoldWhatTheyShould() throws {
        var random = SplitMix64(seed: 6)
        let identities = try (0..<20).map { try identity(100 + UInt64($0), exponent: $0 % 16) }
        var resolver = EphemeralResolver(windowRotations: 2)
        for identity in identities { _ = resolver.register(identity, beaconSeconds: 1 << 31, nowSeconds: 0) }
        for _ in 0..<200 {
            let now = Int64(random.next() % 1_000_000) - 500_000
            // The identifier belongs to nobody: only time passes.
            _ = resolver.resolve(EphemeralIdentifier(rawValue: 0), nowSeconds: now)
            #expect(resolver.identifierCount == 20 * 5)
            for identity in identities {
                var copy = resolver
                let time = UInt32((1 << 31) + now)
                #expect(copy.resolve(identity.identifier(atSeconds: time), nowSeconds: now) != nil)
            }
        }
    }
}
