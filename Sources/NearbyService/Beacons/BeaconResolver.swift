import Beacons
import Nearby

/// A resolver of the changing names of a project's beacons, as one instance follows them. This is a value
/// without store or clock.
struct BeaconResolver: Sendable {
    /// The time in seconds for which an identifier is accepted after its rotation has ended and a later one
    /// was heard, because a sighting may still be on its way.
    private static let graceSeconds: Int64 = 60

    struct Found: Sendable, Hashable {
        var name: BeaconName
        /// The drift to store, if it has changed much since it was last stored; otherwise `nil`.
        var drift: BeaconDrift?
    }

    private struct Followed {
        var name: BeaconName
        var registration: EphemeralRegistration
        /// The drift in seconds, relative to the registration, at the time when this instance began to follow
        /// the beacon.
        let firstDriftSeconds: Int64
        /// The drift in seconds that was last stored.
        var keptDriftSeconds: Int64
    }

    /// The generation of the stored beacons from which this resolver was made.
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
            // The first of two beacons with the same key is used.
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

    /// Returns the beacon that sends this identifier. The result is `nil` if no beacon of this project sends
    /// it. It is also `nil` for a possible recording: a later identifier of the beacon was heard, and the
    /// rotation of this one ended at least a minute ago.
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

    /// Creates a resolver of all beacons of changing names that the project has. Throws: ``StoreError``.
    init(of project: ProjectID, in store: any BeaconStore, unixSeconds: Int64) async throws {
        // The generation is read first, so that changes made meanwhile belong to a later one.
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
    init(_ id: AdvertisedID) { self.init(rawValue: id.bytes.bigEndianNumber) }
}
