import Beacons
import Nearby

/// A project's beacons of changing names, as one instance follows them. A value: no store, no clock.
struct BeaconResolver: Sendable {
    /// A name that was just given up may still be on its way here.
    private static let graceSeconds: Int64 = 60

    struct Found: Sendable, Hashable {
        var name: BeaconName
        /// To be kept: it has changed much since it was kept last.
        var drift: BeaconDrift?
    }

    private struct Followed {
        var name: BeaconName
        var registration: EphemeralRegistration
        /// Ahead of what was registered, when it was first followed here.
        let firstDriftSeconds: Int64
        /// … and when that was last kept.
        var keptDriftSeconds: Int64
    }

    /// Of what it was made.
    let generation: Int64
    private var resolver = EphemeralResolver()
    private var followed: [EphemeralResolver.BeaconID: Followed] = [:]

    init(
        _ beacons: [RegisteredBeacon], drifts: [BeaconName: BeaconDrift], generation: Int64,
        unixSeconds: Int64
    ) {
        self.generation = generation
        for beacon in beacons where beacon.status != .decommissioned {
            guard let registration = beacon.ephemeral else { continue }
            let drift = registration.driftSeconds(drifts[beacon.name])
            // Of two with one key the first is meant.
            guard
                let id = resolver.register(
                    registration.identity,
                    beaconSeconds: registration.clockSeconds(atUnixSeconds: unixSeconds, driftSeconds: drift),
                    nowSeconds: unixSeconds)
            else { continue }
            followed[id] = Followed(
                name: beacon.name, registration: registration, firstDriftSeconds: drift,
                keptDriftSeconds: drift)
        }
    }

    /// Nil when it is none of these beacons', or was recorded: a later one was heard, and its time was over a minute ago.
    mutating func resolve(_ identifier: EphemeralIdentifier, unixSeconds: Int64) -> Found? {
        guard let match = resolver.resolve(identifier, nowSeconds: unixSeconds),
            var beacon = followed[match.beacon]
        else { return nil }
        let rotationSeconds = Int64(1) << Int64(beacon.registration.identity.rotationExponent)
        let drift = beacon.firstDriftSeconds + match.driftSeconds
        if match.isOlderThanHeard {
            let clock = beacon.registration.clockSeconds(atUnixSeconds: unixSeconds, driftSeconds: drift)
            let end = Int64(match.rotationStartSeconds) + rotationSeconds
            guard Int64(clock) < end + BeaconResolver.graceSeconds else { return nil }
        }
        guard abs(drift - beacon.keptDriftSeconds) >= max(1, rotationSeconds / 4) else {
            return Found(name: beacon.name)
        }
        beacon.keptDriftSeconds = drift
        followed[match.beacon] = beacon
        return Found(
            name: beacon.name,
            drift: BeaconDrift(
                seconds: drift, registeredUnixSeconds: beacon.registration.registeredUnixSeconds))
    }
}

extension BeaconResolver {
    private static let beaconsPerPage = 1000

    /// Of all that the project has. Throws: ``StoreError``.
    init(of project: ProjectID, in store: any BeaconStore, unixSeconds: Int64) async throws {
        // First: what changes meanwhile is of a later one.
        let generation = try await store.beaconGeneration(of: project)
        var beacons: [RegisteredBeacon] = []
        while true {
            let page = try await store.beacons(
                of: project, after: beacons.last?.name, areEphemeral: true,
                count: BeaconResolver.beaconsPerPage)
            beacons += page
            guard page.count == BeaconResolver.beaconsPerPage else { break }
        }
        let drifts = beacons.isEmpty ? [:] : try await store.drifts(of: project)
        self.init(beacons, drifts: drifts, generation: generation, unixSeconds: unixSeconds)
    }
}

extension EphemeralIdentifier {
    init(_ id: AdvertisedID) { self.init(rawValue: id.bytes.reduce(0) { $0 << 8 | UInt64($1) }) }
}
