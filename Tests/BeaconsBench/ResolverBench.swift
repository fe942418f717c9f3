import Beacons
import Glibc

/// A benchmark of a resolver of so many beacons, K = 10, with one rotation before and after.
struct ResolverBench {
    let beacons: Int

    private static let now: Int64 = 1_000_000

    func run() {
        let identities = (0..<beacons).compactMap { index in
            EphemeralIdentity(
                key: (0..<16).map { UInt8(truncatingIfNeeded: index >> (8 * ($0 % 4)) &+ $0) },
                rotationExponent: 10)
        }
        precondition(identities.count == beacons)
        let before = residentBytes()
        var resolver = EphemeralResolver()
        var start = BeaconsBench.now()
        for (index, identity) in identities.enumerated() {
            _ = resolver.register(identity, beaconSeconds: time(of: index, 0), nowSeconds: Self.now)
        }
        say("registering one", (BeaconsBench.now() - start) / Double(beacons), "ns")
        say("memory of one", Double(residentBytes() - before) / Double(beacons), "bytes")
        lookUp(identities, &resolver)

        // Every beacon rotates once in 1024 s, and each second some of them do.
        start = BeaconsBench.now()
        for second in 1...Int64(1024) {
            _ = resolver.resolve(EphemeralIdentifier(rawValue: 0), nowSeconds: Self.now + second)
        }
        let spent = BeaconsBench.now() - start
        say("a second in which it is asked, rotations included", spent / 1024, "ns")
        say("the same for each beacon's rotation", spent / Double(beacons), "ns")
    }

    private func lookUp(_ identities: [EphemeralIdentity], _ resolver: inout EphemeralResolver) {
        let heard = identities.enumerated().map { $1.identifier(atSeconds: time(of: $0, 0)) }
        var found = 0
        let hit = BeaconsBench.nanoseconds(beacons) {
            for identifier in heard {
                found += resolver.resolve(identifier, nowSeconds: Self.now) == nil ? 0 : 1
            }
        }
        precondition(found == 7 * beacons, "each was found in each round")
        let miss = BeaconsBench.nanoseconds(beacons) {
            for index in 0..<beacons {
                let nobody = EphemeralIdentifier(rawValue: UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
                found += resolver.resolve(nobody, nowSeconds: Self.now) == nil ? 0 : 1
            }
        }
        precondition(found == 7 * beacons, "nobody was found")
        say("an identifier that is known", hit, "ns")
        say("one that is not", miss, "ns")
        let computed = BeaconsBench.nanoseconds(beacons) {
            for index in 0..<beacons {
                found &+= Int(
                    truncatingIfNeeded: identities[index].identifier(atSeconds: time(of: index, 9)).rawValue)
            }
        }
        say("computing an identifier, two AES blocks", computed, "ns")
    }

    /// Returns a beacon's time. The beacons were started one after the other.
    private func time(of index: Int, _ later: UInt32) -> UInt32 { UInt32(10_000_000 + index) + later }

    private func say(_ name: String, _ number: Double, _ unit: String) {
        BeaconsBench.say("\(beacons) beacons: \(name)", number, unit)
    }

    /// Returns the resident memory of this process.
    private func residentBytes() -> Int {
        let file = open("/proc/self/statm", O_RDONLY)
        var line = [UInt8](repeating: 0, count: 128)
        let count = read(file, &line, line.count)
        close(file)
        let words = String(decoding: line.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) : 0
    }
}
