import Beacons
import Nearby

/// The administration of a project's beacons, over a store. Whoever has access to the store is the owner. No
/// key gives access to the administration, because keys are in apps, and the content of an app is public.
package struct BeaconAdministration: Sendable {
    /// The number of attempts at a change while others change the same beacon.
    private static let attempts = 20

    /// The project that owns these beacons.
    package let project: ProjectID
    let store: any ServiceStore
    let limits: BeaconLimits

    /// - Parameter limits: the limits for what this administration writes. Existing beacons stay as they are.
    package init(_ project: ProjectID, store: any ServiceStore, limits: BeaconLimits = BeaconLimits()) {
        (self.project, self.store, self.limits) = (project, store, limits)
    }

    /// Registers a beacon. Throws: ``StoreError`` `.exists`, ``BeaconProblem``.
    package func register(_ beacon: RegisteredBeacon) async throws {
        try await check([beacon])
        try await store.write([], [beacon], of: project, limits: limits)
    }

    /// Returns a beacon of this project. Throws: ``BeaconProblem`` `.missing`, even if the beacon exists in
    /// another project.
    package func beacon(_ name: BeaconName) async throws -> RegisteredBeacon {
        guard let found = try await store.beacons(named: [name]).first, found.project == project else {
            throw BeaconProblem.missing(
                "there is no beacon \(name.text) in this project: 'nearby beacons' lists those that there are"
            )
        }
        return found
    }

    /// Returns a beacon as ``beacon(_:)`` does, and also finds a beacon of changing names by the identifier
    /// that it sends now.
    package func beacon(_ name: BeaconName, unixSeconds: Int64) async throws -> RegisteredBeacon {
        guard name.id.kind == .ephemeral else { return try await beacon(name) }
        var resolver = try await BeaconResolver(of: project, in: store, unixSeconds: unixSeconds)
        guard let found = resolver.resolve(EphemeralIdentifier(name.id), unixSeconds: unixSeconds) else {
            throw BeaconProblem.missing(
                "no beacon of this project calls itself \(name.text) now: it may have another name by now")
        }
        return try await beacon(found.name)
    }

    /// Calls the function for each beacon in the order of names. The store is read page by page.
    package func forEachBeacon(_ body: (RegisteredBeacon) throws -> Void) async throws {
        var last: BeaconName?
        while true {
            let page = try await store.beacons(of: project, after: last, areEphemeral: false, count: 500)
            for beacon in page { try body(beacon) }
            guard let next = page.last?.name else { return }
            last = next
        }
    }

    /// Changes a beacon and returns its new state. If two callers change a beacon at once, the slower one
    /// starts again, so that both changes take effect.
    @discardableResult
    package func change(
        _ name: BeaconName, _ body: (inout RegisteredBeacon) throws -> Void
    ) async throws -> RegisteredBeacon {
        var attempts = 0
        while true {
            attempts += 1
            var beacon = try await beacon(name)
            try body(&beacon)
            try await check([beacon])
            do throws(StoreError) {
                try await store.write([], [beacon], of: project, limits: limits)
                return beacon
            } catch {
                guard case .changed = error, attempts < BeaconAdministration.attempts else { throw error }
            }
        }
    }

    // MARK: Namespaces

    /// Returns the project's own namespaces, ordered by name. Throws: ``StoreError``.
    package func namespaces() async throws -> [BeaconNamespace] {
        try await store.namespaces(of: project)
    }

    /// Claims a new namespace, or changes whether others see one of the project's own. Throws: ``StoreError``
    /// `.exists` if it is another project's.
    package func claim(_ name: String, isPublic: Bool) async throws {
        guard let namespace = BeaconNamespace(name, of: project, isPublic: isPublic) else {
            throw BeaconProblem("a namespace is \(BeaconNamespace.rule), not '\(name)'")
        }
        try await store.write([namespace], [], of: project, limits: limits)
    }

    /// Checks that the attachments of these beacons are in namespaces of this project. Namespaces never
    /// change hands, so a check that succeeds now still holds at the time of the write.
    func check(_ beacons: [RegisteredBeacon], alongWith new: [BeaconNamespace] = []) async throws {
        let names = Set(beacons.flatMap(\.attachments).map(\.type.namespace)).subtracting(new.map(\.name))
        guard !names.isEmpty else { return }
        let own = Set(try await namespaces().map(\.name))
        if let other = names.subtracting(own).min() {
            throw BeaconProblem(
                "the namespace '\(other)' is not this project's: claim it first, 'nearby beacons namespace \(other)'"
            )
        }
    }

    // MARK: Changing names

    /// Returns the private key with which this server and each beacon agree on the beacon's key. The store
    /// creates it at the first request.
    package func resolverKey() async throws -> EphemeralKeyAgreement {
        let bytes = try await store.resolverKey(orElse: EphemeralKeyAgreement().privateKey)
        guard let key = EphemeralKeyAgreement(privateKey: bytes) else {
            throw StoreError.failed("the resolver's key has \(bytes.count) bytes instead of 32")
        }
        return key
    }
}
